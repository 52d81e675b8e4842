package measure_test

import (
	"fmt"

	"github.com/gospmd/gospmd/runtime/measure"
)

func ExampleMeasurement() {
	fmt.Println(measure.Measurement{What: "all-reduce along 4 devices", Bytes: 1 << 20, Seconds: 1e-3})
	// Output: all-reduce along 4 devices: 1000 µs, 1.0 GB per second
}
