package trace_test

// This file has the functions whose recordings are golden files. These contain line
// numbers of this file: run go test -update after a change.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/trace"
)

type node = *graph.Node

// scenario is a function that records a module, and the name of the golden file with that module.
type scenario struct {
	name   string
	record func() (*ir.Module, error)
}

var scenarios = []scenario{
	{"mlp_step", func() (*ir.Module, error) { return recordMLP(2) }},
	{"closures", recordClosures},
	{"call", recordCall},
	{"barriers_and_fused", recordFused},
}

// recordMLP records one SGD step of a perceptron of so many layers, d1, d2, …, each 8 wide, on a
// mesh data=2,model=4: what Keras' Fit does, by hand. The layer paths also have loss and sgd.
func recordMLP(layers int) (*ir.Module, error) {
	dm, err := mesh.New([]int{2, 4}, []string{"data", "model"}, nil)
	if err != nil {
		return nil, err
	}
	split := func(axes ...string) *layout.Sharding {
		s := layout.Replicated(dm, len(axes))
		for i, a := range axes {
			if a != "" {
				s.Dims[i].Axes = []mesh.AxisRef{{Name: a}}
			}
		}
		return s
	}
	const width = 8
	return trace.Record("mlp_step", dm, func(r *trace.Recorder) ([]trace.Output, error) {
		x := r.Param("x", ir.Tensor(dtypes.Float32, 16, width), split("data", ""))
		y := r.Param("y", ir.Tensor(dtypes.Float32, 16, width), split("data", ""))
		weights := make([]node, layers)
		names := make([]string, layers)
		for i := range weights {
			names[i] = fmt.Sprintf("d%d/kernel", i+1)
			weights[i] = r.Param(names[i], ir.Tensor(dtypes.Float32, width, width), split("", "model"))
		}
		h := x
		for i, w := range weights {
			r.Scope(fmt.Sprintf("d%d", i+1), func() {
				h = graph.Dot(h, w).Product()
				zero := graph.ZerosLike(h)
				h = graph.Where(graph.GreaterThan(h, zero), h, zero)
				h = r.Mark(r.Constrain(h, split("data", "")))
			})
		}
		var loss node
		r.Scope("loss", func() { loss = graph.ReduceAllMean(graph.Square(graph.Sub(h, y))) })
		grads := r.Gradient(loss, weights...)
		outputs := []trace.Output{{Name: "loss", Node: loss}}
		r.Scope("sgd", func() {
			for i, w := range weights {
				outputs = append(outputs, trace.Output{
					Name: names[i], Node: graph.Sub(w, graph.MulScalar(grads[i], 0.1)), Sharding: split("", "model"), Donor: names[i],
				})
			}
		})
		return outputs, nil
	})
}

// recordClosures records the ops that take closures, While, If and Sort, of a parameter x: f32[4].
func recordClosures() (*ir.Module, error) {
	vector := ir.Tensor(dtypes.Float32, 4)
	return trace.RecordFunc("closures", nil, func(g *graph.Graph, in []node) []node {
		x := in[0]
		state := []shapes.Shape{shapes.Make(dtypes.Int32), x.Shape()}
		params := func(g *graph.Graph) (i, v node) {
			return graph.Parameter(g, "i", state[0]), graph.Parameter(g, "v", state[1])
		}
		cond := graph.NewClosure(g, func(g *graph.Graph) []node {
			i, _ := params(g)
			return []node{graph.LessThan(i, graph.Const(g, int32(3)))}
		})
		body := graph.NewClosure(g, func(g *graph.Graph) []node {
			i, v := params(g)
			return []node{graph.AddScalar(i, 1), graph.Mul(v, x)} // x is captured
		})
		looped := graph.While(cond, body, graph.Const(g, int32(0)), x)
		yes := graph.NewClosure(g, func(*graph.Graph) []node { return []node{graph.Neg(x)} })
		no := graph.NewClosure(g, func(*graph.Graph) []node { return []node{graph.AddScalar(x, 1)} })
		chosen := graph.If(graph.LessThan(looped[0], graph.Const(g, int32(5))), yes, no)
		return []node{looped[1], chosen[0], graph.Sort(x, 0, true)}
	}, trace.Input{Name: "x", Type: vector})
}

// recordCall records a module whose main, of x: f32[4], calls a function named square twice.
func recordCall() (*ir.Module, error) {
	return trace.RecordFunc("call", nil, func(g *graph.Graph, in []node) []node {
		square := graph.NewFunction(g, "square", func(g *graph.Graph) []node {
			return []node{graph.Square(graph.Parameter(g, "v", in[0].Shape()))}
		})
		return square.Call(square.Call(in[0])[0])
	}, trace.Input{Name: "x", Type: ir.Tensor(dtypes.Float32, 4)})
}

// recordFused records Softmax, which GoMLX would fuse, of x: f32[2,4] between barriers; y: an i32.
func recordFused() (*ir.Module, error) {
	return trace.RecordFunc("barriers_and_fused", nil, func(g *graph.Graph, in []node) []node {
		x := graph.OptimizationBarrier(in[0])
		return []node{graph.SchedulingBarrier(graph.Softmax(x, -1), in[1])}
	}, trace.Input{Name: "x", Type: ir.Tensor(dtypes.Float32, 2, 4)}, trace.Input{Name: "y", Type: ir.Tensor(dtypes.Int32)})
}
