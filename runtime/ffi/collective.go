//go:build cgo

package ffi

// This file defines Collectives. It collects the calls of all devices of this process to a
// collective between processes, runs the collective, and ends the calls.

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
	Channel int        // the channel in the custom call
	In, Out [][]Buffer // operands and results of each device, in XLA's memory
}

// Collectives runs the collectives between processes of one program.
type Collectives struct {
	number  int
	devices []int // ordinals of the devices, in the order of Call.In
	run     func(*Call) error

	mu      sync.Mutex
	waiting map[callID]*pending
	aborted func(channel int) error // the argument of Abort; nil before
}

// callID identifies a call that all devices of this process make. Within a run, a channel is called
// again only when its previous call has ended.
type callID struct {
	run     int64
	channel int
}

// pending is a call that some devices have made and others have not.
type pending struct {
	Call
	futures []future
}

// future is the future that XLA waits for, for one device.
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

// NewCollectives registers run as the function that runs a program's collectives. The program's
// custom calls must contain the number that Number returns. devices are the ordinals of the
// devices. run is called when all of them have made the same call. It may take long: only those
// devices wait. Calls of one channel do not overlap; calls of different channels may.
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

// Number returns the number that identifies the program in its custom calls. It is unique in this
// process.
func (c *Collectives) Number() int { return c.number }

// Close releases the number of c, so that calls of XLA with it no longer find c.
func (c *Collectives) Close() {
	programs.Lock()
	defer programs.Unlock()
	delete(programs.by, c.number)
}

// Abort ends the calls that only some devices have made, and all later ones, with the error that
// cause returns for their channel. A call that run is executing ends only when run returns, because
// XLA then reuses the call's memory.
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

// gospmdCollective runs the part of one device in a collective between processes, whose operands
// are in frame; run is the number of the execution. The handler calls it on XLA's threads. If there
// is no error it returns nil, and the device waits until the collective has run. Otherwise it
// returns a message, which the caller frees.
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

// arrive adds the buffers of one device to the call id. It returns the call if all devices have now
// arrived, else nil. message is the text of an error, nil without one.
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

// execute runs a call that all devices have made, and then ends it for all of them, with the error
// of running it, if any. A panic is also an error.
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

// end ends the call for each device, on a separate thread: the devices then continue, and may wait
// for each other.
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
