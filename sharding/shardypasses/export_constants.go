package shardypasses

// This file merges the constants that splitConstants copied.

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/ir"
)

// mergeConstants merges equal constants of one block that have the same sharding, and also
// broadcasts of one scalar: Shardy's pass constant-or-scalar-merger.
func mergeConstants(m *ir.Module) {
	for _, f := range m.Funcs {
		first := make(map[string]*ir.Value)
		blocks := make(map[*ir.Block]int)
		values := make(map[*ir.Value]int)
		var visit func(b *ir.Block)
		visit = func(b *ir.Block) {
			blocks[b] = len(blocks)
			for op := range b.Ops() {
				for _, r := range op.Regions {
					visit(r)
				}
				if !isMergeable(op) {
					continue
				}
				var key strings.Builder
				fmt.Fprintf(&key, "%d %s %s", blocks[b], op.Result().Type, shardingKey(m, op.Result()))
				for _, v := range op.Operands {
					if _, ok := values[v]; !ok {
						values[v] = len(values)
					}
					fmt.Fprintf(&key, " %d", values[v])
				}
				attrs := slices.Clone(op.Attrs)
				slices.SortFunc(attrs, func(a, b ir.NamedAttr) int { return strings.Compare(a.Name, b.Name) })
				for _, na := range attrs {
					fmt.Fprintf(&key, " %s=%s", na.Name, attrKey(na.Value))
				}
				if v := first[key.String()]; v != nil {
					op.ReplaceWith(v)
				} else {
					first[key.String()] = op.Result()
				}
			}
		}
		visit(f.Body)
	}
}

// isMergeable reports whether splitConstants may have copied op, so that equal ops can be merged.
func isMergeable(op *ir.Op) bool {
	switch op.Kind {
	case ir.OpConstant, ir.OpSdyConstant:
		return true
	case ir.OpBroadcastInDim:
		return op.Operands[0].Type.Rank() == 0
	}
	return false
}

// attrKey returns a text that differs for different attributes. It is the same for a splat and for
// a literal that lists the equal elements.
func attrKey(a ir.Attr) string {
	d, ok := a.(*ir.Dense)
	if !ok {
		return fmt.Sprintf("%#v", a)
	}
	data := d.Data
	if size := ir.ElementBytes(d.Type.DType); len(data) > size && bytes.Equal(data[size:], data[:len(data)-size]) {
		data = data[:size] // all elements are equal
	}
	return fmt.Sprintf("%s %s", d.Type, data)
}

func shardingKey(m *ir.Module, v *ir.Value) string {
	if v.Sharding == nil {
		return "none"
	}
	return m.MeshName(v.Sharding.Mesh) + v.Sharding.String()
}
