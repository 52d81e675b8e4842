//go:build cgo

package pjrtkv_test

import (
	"fmt"

	"github.com/gospmd/gospmd/runtime/pjrtkv"
)

// The options of process 1 of 4, to which those of the platform are added.
func ExampleOptions() {
	o := pjrtkv.Options(1, 4)
	fmt.Println(o["node_id"], o["num_nodes"])
	// Output: 1 4
}
