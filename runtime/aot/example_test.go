package aot_test

import (
	"fmt"

	"github.com/gospmd/gospmd/runtime/aot"
)

func ExampleOptions() {
	fmt.Println(aot.Options{} == aot.Options{Install: false})
	// Output: true
}
