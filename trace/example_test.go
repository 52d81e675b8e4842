package trace_test

import (
	"fmt"
	"log"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/trace"
)

// The output of a layer has a sharding constraint. In the gradient of its weight, the gradient of
// the output has the same constraint.
func Example() {
	dm, err := mesh.New([]int{4}, []string{"data"}, nil)
	if err != nil {
		log.Fatal(err)
	}
	byRow := layout.Replicated(dm, 2)
	byRow.Dims[0].Axes = []mesh.AxisRef{{Name: "data"}}

	m, err := trace.Record("step", dm, func(r *trace.Recorder) ([]trace.Output, error) {
		x := r.Param("x", ir.Tensor(dtypes.Float32, 8, 2), byRow)
		w := r.Param("w", ir.Tensor(dtypes.Float32, 2, 3), nil)
		var y *graph.Node
		r.Scope("dense", func() { y = r.Mark(r.Constrain(graph.MatMul(x, w), byRow)) })
		loss := graph.ReduceAllSum(y)
		return []trace.Output{{Name: "dw", Node: r.Gradient(loss, w)[0]}}, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	for op := range m.Main().Body.Ops() {
		if op.Kind == ir.OpDotGeneral || op.Kind == ir.OpShardingConstraint {
			fmt.Printf("%s: %s\n", op.Loc.Path, op.FullName())
		}
	}
	// Output:
	// dense: stablehlo.dot_general
	// dense: sdy.sharding_constraint
	// grad(dense): sdy.sharding_constraint
	// grad(dense): stablehlo.dot_general
	// grad(dense): stablehlo.dot_general
}
