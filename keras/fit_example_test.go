package keras_test

import (
	"context"
	"fmt"
	"log"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
)

// check ends the program with the message of err, if err is not nil.
func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// A model is trained on eight virtual devices. On another mesh only the two numbers of
// NewDeviceMesh change, and the losses stay.
func ExampleModel_Fit() {
	layers.ClearSession()
	defer distribution.SetDistribution(nil)
	ctx := context.Background()
	x, err := random.Normal([]int{128, 16}, random.Seed(1))
	check(err)
	y, err := random.Normal([]int{128, 4}, random.Seed(2))
	check(err)
	random.SetRandomSeed(3)

	check(distribution.Initialize(ctx, distribution.Options{Platform: "cpu", Devices: 8}))
	mesh, err := distribution.NewDeviceMesh([]int{2, 4}, []string{"data", "model"}, nil)
	check(err)
	layouts := distribution.NewLayoutMap(mesh)
	layouts.Set("hidden/kernel", distribution.None, "model")    // split by columns over the axis model
	layouts.Set("hidden/bias", "model")                         // split likewise
	layouts.Set("output/kernel", "model", distribution.None)    // split by rows
	spmd, err := distribution.NewModelParallel(layouts, "data") // batches are split over the axis data
	check(err)
	distribution.SetDistribution(spmd)

	input := keras.Input([]int{16})
	hidden := input.Apply(layers.Dense(64, layers.Name("hidden"), layers.Activation("relu")))
	output := hidden.Apply(layers.Dense(4, layers.Name("output")))
	model, err := keras.NewModel(keras.Tensors(input), keras.Tensors(output))
	check(err)
	check(model.Compile(keras.Optimizer("adam"), keras.Loss("mse")))
	history, err := model.Fit(ctx, x, y, keras.Epochs(3), keras.Verbose(0), keras.ShuffleSeed(4))
	check(err)
	fmt.Printf("%.4f\n", history.Logs["loss"])
	// Output: [1.2483 1.1981 1.1554]
}
