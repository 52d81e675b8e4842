package constraints_test

import (
	"fmt"

	"github.com/gospmd/gospmd/keras/constraints"
)

func Example() {
	c, err := constraints.Get(constraints.MaxNorm(3))
	class, config := c.Config()
	fmt.Println(class, config, err)
	// Output: MaxNorm map[axis:0 max_value:3] <nil>
}
