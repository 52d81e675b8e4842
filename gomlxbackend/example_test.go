package gomlxbackend_test

import (
	"fmt"
	"log"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	_ "github.com/gospmd/gospmd/gomlxbackend"
)

// A GoMLX program that is written for one device. GOMLX_BACKEND may hold the configuration instead.
func Example() {
	backend, err := compute.NewWithConfig("gospmd:mesh=2x2,engine=go")
	if err != nil {
		log.Fatal(err)
	}
	defer backend.Finalize()
	norm := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		return graph.Sqrt(graph.ReduceAllSum(graph.Square(x)))
	})
	fmt.Println(norm.MustCall([]float32{1, 2, 3, 4, 5})[0]) // 5 rows on 2 devices
	// Output: float32(7.416)
}

type shape = shapes.Shape

func matrixShape(rows, columns int) shape { return shapes.Make(dtypes.Float32, rows, columns) }

// tryCatch calls f and returns the error that GoMLX throws in it; nil if none.
func tryCatch(f func()) error { return exceptions.TryCatch[error](f) }
