package pixels_test

import (
	"fmt"
	"log"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
	"github.com/gospmd/gospmd/trace"
)

// Each of four images is moved right by one pixel; what was beyond the edge is reflected.
func ExampleAffine() {
	m, err := trace.RecordFunc("moved", nil, func(g *graph.Graph, in []*graph.Node) []*graph.Node {
		move := graph.BroadcastToDims(graph.Const(g, [][]float32{{1, 0, -1, 0, 1, 0, 0, 0}}), 4, 8)
		return []*graph.Node{pixels.Affine(in[0], move, pixels.Sampling{Interpolation: "nearest", FillMode: "reflect"})}
	}, trace.Input{Name: "images", Type: ir.Tensor(dtypes.Float32, 4, 28, 28, 3)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Main().Results[0].Type)
	// Output: tensor<4x28x28x3xf32>
}
