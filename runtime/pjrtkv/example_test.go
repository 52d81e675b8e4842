package pjrtkv_test

import (
	"fmt"

	"github.com/gospmd/gospmd/runtime/pjrtkv"
)

// A program for devices 4 and 5 of a job, with the options of a process that has none of the two.
// Field 3 of CompileOptionsProto has 2 replicas and their devices.
func ExampleAssign() {
	fmt.Printf("% x\n", pjrtkv.Assign(nil, []int{4, 5}))
	// Output: 1a 0e 20 02 4a 0a 08 02 10 01 1a 04 0a 02 04 05
}
