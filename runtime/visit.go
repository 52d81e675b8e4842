package runtime

// This file reads arrays shard by shard.

import (
	"context"
	"fmt"

	"github.com/gospmd/gospmd/internal/rowmajor"
	"github.com/gospmd/gospmd/layout"
)

// Visit waits, and calls visit once for each different shard that is not
// empty: with the global index ranges it covers, padding left out, and its
// elements in row-major order, which visit may keep. The whole tensor is never
// held anywhere: it is the reverse of Client.PutShards.
func (a *Array) Visit(ctx context.Context, visit func(ranges []layout.Range, data []byte) error) error {
	if err := a.startReading(); err != nil {
		return err
	}
	defer a.stopReading()
	if a.sharding != nil && len(a.sharding.Unreduced) > 0 {
		return fmt.Errorf("runtime: Visit: array %s still holds partial sums over %s: reduce it in a program first",
			a, layout.AxesText(a.sharding.Unreduced))
	}
	for pos, p := range parts(a.typ, a.sharding) {
		if p.first != pos {
			continue
		}
		box := lens(p.ranges)
		shard := a.typ.WithDims(box)
		if shard.Size() == 0 {
			continue
		}
		b := a.buffers[pos]
		local := b.Type()
		data := make([]byte, local.Bytes())
		if err := b.Read(ctx, data); err != nil {
			return fmt.Errorf("runtime: array %s: %w", a.typ, err)
		}
		if !shard.Equal(local) {
			padded := data
			data = make([]byte, shard.Bytes())
			rowmajor.CopyBox(data, box, nil, padded, local.Dims, nil, box, a.typ.DType.Size())
		}
		if err := visit(p.ranges, data); err != nil {
			return err
		}
	}
	return nil
}
