package applications_test

import (
	"context"
	"fmt"
	"log"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/applications"
	"github.com/gospmd/gospmd/keras/layers"
)

// The network without its top takes images of any size; a layer of your own
// makes classes of its features.
func ExampleResNet50() {
	layers.ClearSession()
	base, err := applications.ResNet50(context.Background(), applications.Weights("none"), applications.IncludeTop(false), applications.Pooling("avg"))
	if err != nil {
		log.Fatal(err)
	}
	y := base.Outputs()[0].Apply(layers.Dense(5, layers.Name("flowers"), layers.Activation("softmax")))
	model, err := keras.NewModel(base.Inputs(), []*layers.Tensor{y})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(layers.ShapeText(model.Inputs()[0].Shape()), len(model.Layers()), layers.ShapeText(model.Outputs()[0].Shape()))
	// Output: (None, None, None, 3) 177 (None, 5)
}
