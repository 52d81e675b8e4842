package fit_test

import (
	"context"
	"fmt"

	"github.com/gospmd/gospmd/fit"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
)

func Example() {
	target, err := hardware.ParseTarget("h100:8")
	if err != nil {
		panic(err)
	}
	m, err := ir.ParseFile("../cmd/gospmd/testdata/jax/mlp_step.mlir")
	if err != nil {
		panic(err)
	}
	meshes, err := fit.Meshes(fit.Axes(m), target.Devices())
	if err != nil {
		panic(err)
	}
	table, err := fit.Search(context.Background(), fit.OnMesh(m, nil), fit.Options{Target: target, Meshes: meshes})
	if err != nil {
		panic(err)
	}
	best := table.Best()
	fmt.Println(best.Mesh, best.Fits, best.Prediction.Bound)
	// Output: data=1,model=8 true NVLink along model
}
