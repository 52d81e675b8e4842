package pass_test

import (
	"fmt"
	"log"
	"os"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
)

// A pipeline of two passes, whose context is the module itself, runs; the module is printed after
// the second pass because of debug.
func Example() {
	debug, err := pass.ParseDebug("after=name_results")
	if err != nil {
		log.Fatal(err)
	}
	debug.Output = os.Stdout
	pipeline := pass.Pipeline[*ir.Module]{
		Passes: []pass.Pass[*ir.Module]{
			{Name: "name_module", Why: "dumps are named after it", Run: func(m *ir.Module) error {
				m.Name = "example"
				return nil
			}},
			{Name: "name_results", Why: "people read them", Run: func(m *ir.Module) error {
				for i := range m.Main().Results {
					m.Main().Results[i].Name = fmt.Sprintf("y%d", i)
				}
				return nil
			}},
		},
		Module: func(m *ir.Module) *ir.Module { return m },
		Debug:  debug,
	}
	m := ir.MustParse(`func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}`)
	if err := pipeline.Run(m); err != nil {
		log.Fatal(err)
	}
	// Output:
	// // module example after pass name_results
	// module @example {
	//   func.func public @main(%arg0: tensor<4xf32>) -> (tensor<4xf32> {jax.result_info = "y0"}) {
	//     return %arg0 : tensor<4xf32>
	//   }
	// }
}
