package compile_test

import (
	"context"
	"fmt"
	"log"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// A dense layer on a mesh of 2x4. The batch is sharded over one axis and the kernel over the other,
// and the layout of the output follows from these.
func Example() {
	dm := mesh.MustParse("data=2,model=4")
	split := func(axes ...string) *layout.Sharding {
		s := layout.Replicated(dm, len(axes))
		for i, a := range axes {
			if a != "" {
				s.Dims[i].Axes = mesh.FullAxes(a)
			}
		}
		return s
	}
	m := &ir.Module{Name: "dense"}
	m.AddMesh("mesh", dm)
	f := ir.NewFunc("main")
	m.Funcs = append(m.Funcs, f)
	x := f.AddParam("x", ir.Tensor(dtypes.Float32, 16, 784), split("data", ""))
	w := f.AddParam("d1/kernel", ir.Tensor(dtypes.Float32, 784, 200), split("", "model"))
	dot, err := ir.NewBuilder(f.Body).Op(ir.OpDotGeneral, ir.Attrs{{
		Name:  "dot_dimension_numbers",
		Value: &ir.DotDims{LHSContracting: []int{1}, RHSContracting: []int{0}},
	}}, x, w)
	if err != nil {
		log.Fatal(err)
	}
	f.Return(dot.Result())
	f.Results[0].Name = "y"

	p, err := compile.Compile(context.Background(), m, compile.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(p)
	// Output:
	// program dense: 2 ops, 8 devices, mesh data=2,model=4, per-device
	//   value          global       sharding               per device  donated to
	//   in  x          16x784xf32   [{"data"}, {}]         8x784xf32
	//   in  d1/kernel  784x200xf32  [{}, {"model"}]        784x50xf32
	//   out y          16x200xf32   [{"data"}, {"model"}]  8x50xf32
}
