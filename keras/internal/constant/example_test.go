package constant_test

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/internal/constant"
	"github.com/gospmd/gospmd/trace"
)

// Example shows that a small number of float16 is rounded by an op of the graph.
func Example() {
	m, err := trace.Record("epsilon", nil, func(r *trace.Recorder) ([]trace.Output, error) {
		x := r.Param("x", ir.Tensor(dtypes.Float16), nil)
		return []trace.Output{{Name: "y", Node: graph.Add(x, constant.Like(x, 1e-7))}}, nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for op := range m.Main().Body.Ops() {
		fmt.Println(op.FullName())
	}
	// Output:
	// stablehlo.constant
	// stablehlo.convert
	// stablehlo.add
	// func.return
}
