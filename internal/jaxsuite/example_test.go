package jaxsuite_test

import (
	"fmt"
	"log"

	"github.com/gospmd/gospmd/internal/jaxsuite"
)

// Every program has its inputs and JAX's results.
func Example() {
	programs, err := jaxsuite.Read()
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range programs {
		if p.Name == "linalg/cholesky/float32" {
			fmt.Println(p.Inputs[0].Type, p.Inputs[0].Dims, len(p.Results))
		}
	}
	// Output: float32 [6 4 4] 1
}
