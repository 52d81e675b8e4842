package runtime

// This file defines Array and Client, the global programming model.

import (
	"context"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// Options say which engine Open starts. The zero value is the CPU with one
// device.
type Options struct {
	// Platform is "cpu" (the default), "cuda" or "tpu".
	Platform string
	// Devices is the number of virtual devices of the CPU platform; 0 means 1.
	Devices int
	// Plugin is the path of a PJRT plugin; empty lets Open find or install one.
	Plugin string
	// more to come from the implementation
}

// Client owns the devices of one engine.
type Client struct{}

// Open finds an engine and starts it.
func Open(ctx context.Context, o Options) (*Client, error) { panic("BUG: not written yet") }

// Devices returns the devices.
func (c *Client) Devices() []Device { panic("BUG: not written yet") }

// Close frees the client once everything in flight is done.
func (c *Client) Close() error { panic("BUG: not written yet") }

// Put makes a global array from host elements: flat is a slice of the Go type
// of t.DType in row-major order and holds the whole global tensor. Each device
// gets its shard only. A nil sharding puts the array on device 0.
func (c *Client) Put(t ir.Type, s *layout.Sharding, flat any) (*Array, error) {
	panic("BUG: not written yet")
}

// PutShards makes a global array shard by shard: fill is called once for each
// different shard with the global index ranges it covers (padding left out)
// and a flat slice of that many elements to fill. The whole tensor is never
// held anywhere.
func (c *Client) PutShards(t ir.Type, s *layout.Sharding, fill func(ranges []layout.Range, dst any) error) (*Array, error) {
	panic("BUG: not written yet")
}

// Load compiles p for this client's devices.
func (c *Client) Load(ctx context.Context, p *compile.Program) (*Executable, error) {
	panic("BUG: not written yet")
}

// Executable is a Program loaded on a Client.
type Executable struct{}

// Program returns the program.
func (e *Executable) Program() *compile.Program { panic("BUG: not written yet") }

// Run queues one execution. args must have the program's input types and
// shardings; an error names the input, got and wanted. The results are
// pending: errors of the execution surface at their Wait or Get. Donated
// arguments are invalid from here on.
func (e *Executable) Run(args ...*Array) ([]*Array, error) { panic("BUG: not written yet") }

// Close frees the executable once all queued runs are done.
func (e *Executable) Close() error { panic("BUG: not written yet") }

// Array is a global tensor: shards on devices, and the layout that says what
// each holds.
type Array struct{}

// Type returns the global type.
func (a *Array) Type() ir.Type { panic("BUG: not written yet") }

// Sharding returns the layout; nil for an array on one device.
func (a *Array) Sharding() *layout.Sharding { panic("BUG: not written yet") }

// Shard is what one device holds of an Array.
type Shard struct {
	Device int            // device id
	Ranges []layout.Range // global indices of its elements, padding left out
	Local  ir.Type        // the padded local type
	Buffer Buffer
}

// Shards returns the shards in the mesh's device order.
func (a *Array) Shards() []Shard { panic("BUG: not written yet") }

// Wait returns when the array is there, with the error of what made it.
func (a *Array) Wait(ctx context.Context) error { panic("BUG: not written yet") }

// Get waits and returns the whole global tensor as a flat slice of the Go type
// of its dtype, row-major.
func (a *Array) Get(ctx context.Context) (any, error) { panic("BUG: not written yet") }

// Release frees the array's buffers once all runs queued before have used
// them.
func (a *Array) Release() { panic("BUG: not written yet") }
