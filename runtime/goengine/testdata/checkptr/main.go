// Checkptr multiplies two matrices with GoMLX's Go backend, without gospmd. The race detector turns
// on Go's pointer checks. With it, the program ends with "fatal error: checkptr": the backend
// converts numbers to pointers.
//
//	go run -race ./runtime/goengine/testdata/checkptr
//	go run -race -gcflags=all=-d=checkptr=0 ./runtime/goengine/testdata/checkptr   # prints the product
package main

import (
	"fmt"
	"log"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"
)

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	const n = 4
	shape := shapes.Make(dtypes.Float32, n, n)
	backend := gobackend.GetBackend()
	builder := backend.Builder("product")
	f := builder.Main()
	x, err := f.Parameter("x", shape, nil)
	if err != nil {
		return err
	}
	y, err := f.DotGeneral(x, []int{1}, nil, x, []int{0}, nil, compute.DotGeneralConfig{})
	if err != nil {
		return err
	}
	if err := f.Return([]compute.Value{y}, nil); err != nil {
		return err
	}
	program, err := builder.Compile()
	if err != nil {
		return err
	}
	in, err := backend.BufferFromFlatData(0, make([]float32, n*n), shape)
	if err != nil {
		return err
	}
	out, err := program.Execute([]compute.Buffer{in}, []bool{true}, 0)
	if err != nil {
		return err
	}
	flat, err := out[0].Data()
	fmt.Println(flat)
	return err
}
