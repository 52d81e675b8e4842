//go:build cgo

package ffi

// This file defines Collectives, which gathers what the devices of this process
// bring to a collective between processes, and ends their calls when it is done.

/*
#include <stdlib.h>
#include "handler.h"
*/
import "C"

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"
)

// Call is one execution of a collective, by all devices of this process.
type Call struct {
	Channel int        // as the custom call names it
	In, Out [][]Buffer // operands and results of each device, in XLA's memory
}

// Collectives executes those of one program.
type Collectives struct {
	number  int
	devices []int // their ordinals, in the order of Call.In
	run     func(*Call) error

	mu      sync.Mutex
	waiting map[callID]*pending
	aborted func(channel int) error // nil until Abort
}

// callID names a call that devices of this process make together. Within a run a
// channel is called again only when the call before has ended.
type callID struct {
	run     int64
	channel int
}

// pending is a call that some devices have made.
type pending struct {
	Call
	futures []future
}

// future is what XLA waits for, for one device.
type future struct {
	api *C.Api
	ptr unsafe.Pointer
}

// programs holds the Collectives of this process by number.
var programs struct {
	sync.RWMutex
	last int
	by   map[int]*Collectives
}

// NewCollectives makes run execute the collectives of the program with the number
// that Number returns. run is called when all devices, named by their ordinals, have
// made the same call. It may take long: nothing of XLA's waits but those devices. A
// channel is not called again before run has returned; calls of several channels may
// overlap.
func NewCollectives(devices []int, run func(*Call) error) *Collectives {
	programs.Lock()
	defer programs.Unlock()
	programs.last++
	c := &Collectives{number: programs.last, devices: devices, run: run, waiting: map[callID]*pending{}}
	if programs.by == nil {
		programs.by = map[int]*Collectives{}
	}
	programs.by[c.number] = c
	return c
}

// Number returns the number that custom calls name the program by. It is of this
// process.
func (c *Collectives) Number() int { return c.number }

// Close ends the use of the number.
func (c *Collectives) Close() {
	programs.Lock()
	defer programs.Unlock()
	delete(programs.by, c.number)
}

// Abort ends the calls that only some devices have made, and all later ones, with
// the error that cause returns for their channel. Those that run executes end when it
// returns, because XLA takes their memory back then.
func (c *Collectives) Abort(cause func(channel int) error) {
	c.mu.Lock()
	if c.aborted == nil {
		c.aborted = cause
	}
	waiting := c.waiting
	c.waiting = map[callID]*pending{}
	c.mu.Unlock()
	for _, p := range waiting {
		p.end(cause(p.Channel))
	}
}

// gospmdCollective is called by the handler, on threads of XLA's, for one device. It
// returns a message that the caller frees, or nil.
//
//export gospmdCollective
func gospmdCollective(frame *C.CallFrame, run C.int64_t, device C.int32_t) (message *C.char) {
	defer func() {
		if p := recover(); p != nil {
			message = C.CString(fmt.Sprintf("BUG: collective: %v", p))
		}
	}()
	attrs := attributes(&frame.attrs)
	programs.RLock()
	c := programs.by[int(attrs["program"])]
	programs.RUnlock()
	if c == nil {
		return C.CString(fmt.Sprintf("BUG: a collective of program %d, which is closed", attrs["program"]))
	}
	ready, message := c.arrive(callID{int64(run), int(attrs["channel"])}, int(device), frame)
	if ready != nil {
		go c.execute(ready)
	}
	return message
}

// arrive adds what one device brings to a call, and returns the call if it was the
// last one.
func (c *Collectives) arrive(id callID, device int, frame *C.CallFrame) (ready *pending, message *C.char) {
	i := slices.Index(c.devices, device)
	if i < 0 {
		return nil, C.CString(fmt.Sprintf("BUG: a collective on device %d, its program has the devices %v", device, c.devices))
	}
	in, out := buffers(&frame.args), buffers(&frame.rets)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.aborted != nil {
		return nil, C.CString(c.aborted(id.channel).Error())
	}
	p := c.waiting[id]
	if p == nil {
		p = &pending{Call: Call{Channel: id.channel, In: make([][]Buffer, len(c.devices)), Out: make([][]Buffer, len(c.devices))}}
		c.waiting[id] = p
	}
	if p.In[i] != nil {
		return nil, C.CString(fmt.Sprintf("BUG: device %d calls channel %d again before the others have", device, id.channel))
	}
	if message := C.newFuture(frame); message != nil {
		return nil, message
	}
	p.In[i], p.Out[i] = in, out
	p.futures = append(p.futures, future{frame.api, frame.future})
	if len(p.futures) < len(c.devices) {
		return nil, nil
	}
	delete(c.waiting, id)
	return p, nil
}

// execute runs a call that all devices have made, and ends it.
func (c *Collectives) execute(p *pending) {
	p.end(func() (err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("BUG: collective: %v", r)
			}
		}()
		return c.run(&p.Call)
	}())
}

// end lets the devices go on. Each does so on a thread of its own: they may wait for
// each other.
func (p *pending) end(err error) {
	for _, f := range p.futures[1:] {
		go f.set(err)
	}
	go p.futures[0].set(err)
}

func (f future) set(err error) {
	var message *C.char
	if err != nil {
		message = C.CString(err.Error())
		defer C.free(unsafe.Pointer(message))
	}
	C.setFuture(f.api, f.ptr, message)
}
