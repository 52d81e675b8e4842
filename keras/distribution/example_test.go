package distribution_test

import (
	"context"
	"fmt"
	"log"

	"github.com/gospmd/gospmd/keras/distribution"
)

// Example uses the layouts of Keras' distribution guide on eight virtual CPU devices.
func Example() {
	if err := distribution.Initialize(context.Background(), distribution.Options{Devices: 8}); err != nil {
		log.Fatal(err)
	}
	defer distribution.Close()
	mesh, err := distribution.NewDeviceMesh([]int{2, 4}, []string{"data", "model"}, nil)
	if err != nil {
		log.Fatal(err)
	}
	layouts := distribution.NewLayoutMap(mesh)
	layouts.Set("d1/kernel", distribution.None, "model")
	layouts.Set("d2/output", "data", distribution.None)
	d, err := distribution.NewModelParallel(layouts, "data")
	if err != nil {
		log.Fatal(err)
	}
	err = distribution.Scope(d, func() error {
		for _, path := range []string{"d1/kernel", "d2/kernel"} {
			s, err := distribution.VariableSharding(path, 2)
			if err != nil {
				return err
			}
			fmt.Println(path, s)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// d1/kernel [{}, {"model"}]
	// d2/kernel [{}, {}]
}
