package aot_test

import (
	"context"
	"fmt"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/aot"
)

// Compile returns an error for a step that is sharded over eight devices, if the target has four.
func Example() {
	m, err := ir.ParseFile("testdata/quickstart.mlir")
	if err != nil {
		panic(err)
	}
	p, err := compile.Compile(context.Background(), m, compile.Options{})
	if err != nil {
		panic(err)
	}
	target, err := hardware.ParseTarget("v5e:2x2")
	if err != nil {
		panic(err)
	}
	e, err := aot.Compile(context.Background(), p, target, aot.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e)
	// Output:
	// compiling train_step for v5e:2x2: the program's mesh data=2,model=4 has device 7, and the target 4 devices: choose a smaller mesh or a larger target
}
