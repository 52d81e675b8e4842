package reshard_test

// This file reads layouts as tests write them.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// parse reads a layout: axes for each dimension, major first and joined by +,
// * for none; after | those over which a sum is outstanding. "x+y:(1)2,*|z".
func parse(m *mesh.DeviceMesh, text string) *layout.Sharding {
	axes := func(list string) []mesh.AxisRef {
		var out []mesh.AxisRef
		for name := range strings.SplitSeq(list, "+") {
			if name = strings.TrimSpace(name); name == "*" || name == "" {
				continue
			}
			name, sub, ok := strings.Cut(name, ":")
			if !ok {
				out = append(out, mesh.FullAxis(name))
				continue
			}
			var pre, size int
			if _, err := fmt.Sscanf(sub, "(%d)%d", &pre, &size); err != nil {
				panic(err)
			}
			out = append(out, mesh.SubAxisRef(name, pre, size))
		}
		return out
	}
	dims, sums, _ := strings.Cut(text, "|")
	s := layout.Replicated(m, 0)
	if strings.TrimSpace(dims) != "" {
		for d := range strings.SplitSeq(dims, ",") {
			s.Dims = append(s.Dims, layout.DimSharding{Axes: axes(d)})
		}
	}
	s.Unreduced = axes(sums)
	slices.SortFunc(s.Unreduced, m.CompareRefs)
	if err := s.Validate(len(s.Dims)); err != nil {
		panic(err)
	}
	return s
}
