package main

// This file limits the number of processes that gospmd launch starts.

import (
	"fmt"
	"math"
	"runtime"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// The limits of the number of processes. With more processes than processesPerCore for each core, a
// machine mostly waits. A process needs at least processMemory bytes.
const (
	processesPerCore = 16
	alwaysAllowed    = 64 // number of processes that are allowed even on a machine with few cores
	processMemory    = 64 << 20
)

// capacity is the machine's number of cores and memory, which bound the number of processes.
type capacity struct {
	cores  int
	memory uint64 // bytes
}

// machineCapacity returns the capacity of this machine, or of the container of this process.
func machineCapacity() capacity {
	c := capacity{cores: runtime.GOMAXPROCS(0), memory: math.MaxUint64}
	for _, limit := range []memlimit.Provider{memlimit.FromSystem, memlimit.FromCgroup} {
		if bytes, err := limit(); err == nil && bytes > 0 {
			c.memory = min(c.memory, bytes)
		}
	}
	return c
}

// check returns an error if n processes are too many for the machine: more than processesPerCore
// for each core (alwaysAllowed are never too many for the cores), or with less than processMemory
// for each. One process is always allowed.
func (c capacity) check(n int) error {
	most := min(uint64(max(alwaysAllowed, processesPerCore*c.cores)), max(1, c.memory/processMemory))
	if uint64(n) <= most {
		return nil
	}
	return fmt.Errorf("launch: -n is %d, and this machine has %d cores and %.1f GiB of memory, enough for %d processes (%d for each core or %d, and %d MiB of memory for each): "+
		"ask for fewer, or add -oversubscribe to start them all the same", n, c.cores, float64(c.memory)/(1<<30), most, processesPerCore, alwaysAllowed, processMemory>>20)
}
