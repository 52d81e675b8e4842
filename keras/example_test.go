package keras_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
)

// A model is written as for one device; its variables get their layouts from
// the distribution that is current when it is made.
func Example() {
	layers.ClearSession()
	err := distribution.Initialize(distribution.Options{Platform: "cpu", Devices: 8})
	if err != nil {
		log.Fatal(err)
	}
	mesh, err := distribution.NewDeviceMesh([]int{2, 4}, []string{"data", "model"}, nil)
	if err != nil {
		log.Fatal(err)
	}
	layouts := distribution.NewLayoutMap(mesh)
	layouts.Set("hidden/kernel", distribution.None, "model")
	d, err := distribution.NewModelParallel(layouts, "data")
	if err != nil {
		log.Fatal(err)
	}
	distribution.Scope(d, func() error {
		x := keras.Input([]int{16}, layers.Name("x"))
		y := x.Apply(layers.Dense(32, layers.Name("hidden"), layers.Activation("relu")))
		y = y.Apply(layers.Dense(4, layers.Name("classes")))
		model, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
		if err != nil {
			log.Fatal(err)
		}
		return model.Summary(os.Stdout)
	})
	// Output:
	// Model: "functional"
	//
	// Layer    Type   Output shape  Parameters  Bytes per device
	// x        input  (None, 16)    0           0
	// hidden   dense  (None, 32)    544         640
	// classes  dense  (None, 4)     132         528
	//
	// Variable        Shape     Rule           Layout           Bytes per device
	// hidden/kernel   (16, 32)  hidden/kernel  [{}, {"model"}]  512
	// hidden/bias     (32,)     -              [{}]             128
	// classes/kernel  (32, 4)   -              [{}, {}]         512
	// classes/bias    (4,)      -              [{}]             16
	//
	// Total parameters: 676        2,704 bytes  1,168 bytes per device
	// Trainable parameters: 676    2,704 bytes  1,168 bytes per device
	// Non-trainable parameters: 0  0 bytes      0 bytes per device
}

// What is wrong with a layer is told when the model is made.
func ExampleNewModel_error() {
	x := keras.Input([]int{16})
	y := x.Apply(layers.Dense(-3, layers.Name("d")))
	_, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	fmt.Println(err)
	_, err = (&keras.Model{}).Predict(context.Background(), nil, keras.Epochs(3))
	fmt.Println(err)
	// Output:
	// keras: model functional_1: example_test.go:64: layer d: Dense: got -3 units, want a positive number
	// keras: model : predict: Predict takes no option Epochs: it takes BatchSize, Steps, Verbose, Output
}
