package saving_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/saving"
)

// Example saves a model in Keras' format, and loads it from the file.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	layers.ClearSession()
	x := keras.Input([]int{4})
	y := x.Apply(layers.Dense(8, layers.Activation("relu"), layers.Name("d1"))).Apply(layers.Dense(3))
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	name := filepath.Join(dir, "model.keras")
	if err := saving.SaveModel(ctx, m, name); err != nil {
		log.Fatal(err)
	}
	again, err := saving.LoadModel(ctx, name)
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range again.Variables() {
		fmt.Println(v)
	}
	// Output:
	// d1/kernel tensor<4x8xf32> on one device
	// d1/bias tensor<8xf32> on one device
	// dense/kernel tensor<8x3xf32> on one device
	// dense/bias tensor<3xf32> on one device
}
