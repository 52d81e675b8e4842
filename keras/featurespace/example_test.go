package featurespace_test

import (
	"fmt"
	"log"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/featurespace"
	"github.com/gospmd/gospmd/keras/layers"
)

// Example builds a model that takes the raw columns of a table.
func Example() {
	space, err := featurespace.New(map[string]featurespace.Feature{
		"color": featurespace.StringCategorical(),
		"size":  featurespace.IntegerCategorical(),
		"cost":  featurespace.FloatNormalized(),
	}, featurespace.Crosses([]string{"color", "size"}), featurespace.CrossingDim(8))
	if err != nil {
		log.Fatal(err)
	}
	table := map[string]any{"color": []string{"red", "green", "red"}, "size": []int{40, 41, 40}, "cost": []float32{9, 12, 7}}
	if err := space.Adapt(table); err != nil {
		log.Fatal(err)
	}
	encoded, err := space.EncodedFeatures()
	if err != nil {
		log.Fatal(err)
	}
	model, err := keras.NewModel(space.Inputs(), keras.Tensors(encoded.Apply(layers.Dense(1))))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(model.InputNames(), layers.ShapeText(encoded.Shape()))
	// Output: [color cost size] (None, 15)
}
