package regularizers_test

import (
	"fmt"

	"github.com/gospmd/gospmd/keras/regularizers"
)

func Example() {
	r, err := regularizers.Get("l2")
	class, config := r.Config()
	fmt.Println(class, config, err)
	_, err = regularizers.Get(regularizers.L1(-1))
	fmt.Println(err)
	// Output:
	// L2 map[l2:0.01] <nil>
	// L1: L1: got -1, want a number not below 0
}
