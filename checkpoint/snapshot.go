package checkpoint

// This file copies tensors to the host, to be saved while the devices go on.

import (
	"context"
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// Snapshot returns copies of the tensors in the host's memory. It waits for
// what makes them; when it returns their devices may go on and Save may write
// the copies behind. Equal shards are copied once.
func Snapshot(ctx context.Context, tensors []Tensor) ([]Tensor, error) {
	out := make([]Tensor, len(tensors))
	for i, t := range tensors {
		c := &hostCopy{typ: t.Source.Type()}
		err := t.Source.Visit(ctx, func(ranges []layout.Range, data []byte) error {
			c.parts = append(c.parts, hostPart{ranges, data})
			return ctx.Err()
		})
		if err != nil {
			return nil, fmt.Errorf("checkpoint: tensor %s: %w", t.Name, err)
		}
		out[i] = Tensor{t.Name, c}
	}
	return out, nil
}

// Host returns the source of a tensor in the host's memory: its elements
// row-major, little-endian. The caller must not change them.
func Host(t ir.Type, data []byte) Source {
	ranges := make([]layout.Range, t.Rank())
	for i, d := range t.Dims {
		ranges[i] = layout.Range{Start: 0, Limit: d}
	}
	c := &hostCopy{typ: t}
	if len(data) > 0 {
		c.parts = []hostPart{{ranges, data}}
	}
	return c
}

// hostCopy is a Source in the host's memory.
type hostCopy struct {
	typ   ir.Type
	parts []hostPart
}

type hostPart struct {
	ranges []layout.Range
	data   []byte
}

// Type returns the global type.
func (c *hostCopy) Type() ir.Type { return c.typ }

// Visit calls visit with the parts.
func (c *hostCopy) Visit(_ context.Context, visit func(ranges []layout.Range, data []byte) error) error {
	for _, p := range c.parts {
		if err := visit(p.ranges, p.data); err != nil {
			return err
		}
	}
	return nil
}
