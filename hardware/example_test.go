package hardware_test

import (
	"fmt"

	"github.com/gospmd/gospmd/hardware"
)

func Example() {
	t, err := hardware.ParseTarget("v5e:2x4")
	if err != nil {
		panic(err)
	}
	fmt.Println(t, t.Devices(), t.Chip.Memory>>30, "GiB")
	// Output: v5e:2x4 8 16 GiB
}
