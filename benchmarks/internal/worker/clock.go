package worker

// This file has the clocks of a worker in Go.

import (
	"syscall"
	"time"
)

// Clock measures consecutive parts of the work of this process, in wall and CPU time.
type Clock struct {
	wall time.Time
	cpu  float64
}

// StartClock starts a clock and returns it.
func StartClock() *Clock { return &Clock{time.Now(), CPUSeconds()} }

// Part returns the wall and CPU seconds since the clock was started or the last part.
func (c *Clock) Part() (wall, cpu float64) {
	now := Clock{time.Now(), CPUSeconds()}
	wall, cpu = now.wall.Sub(c.wall).Seconds(), now.cpu-c.cpu
	*c = now
	return wall, cpu
}

// CPUSeconds returns the CPU time of the process so far.
func CPUSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("BUG: " + err.Error())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
