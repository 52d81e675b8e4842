package keras_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/runtime"
)

// A model takes texts: the lookup that is applied to them runs on the host, and the layers behind
// it on the devices. It is trained on four texts.
func ExampleNewModel_texts() {
	layers.ClearSession()
	client, err := runtime.Open(context.Background(), runtime.Options{Platform: "cpu", Engine: runtime.EngineGo})
	if err != nil {
		log.Fatal(err)
	}
	reviews := []string{"What a film!", "A dull film.", "Great music", "dull, dull"}
	words := layers.TextVectorization(layers.OutputSequenceLength(3), layers.Name("words"))
	if err := words.Adapt(reviews); err != nil {
		log.Fatal(err)
	}
	x := keras.Input([]int{1}, layers.DType(layers.String), layers.Name("review"))
	y := x.Apply(words).Apply(layers.Embedding(8, 4, layers.Name("embed"))).Apply(layers.Flatten(layers.Name("flat")))
	model, err := keras.NewModel(keras.Tensors(x), keras.Tensors(y.Apply(layers.Dense(1, layers.Activation("sigmoid"), layers.Name("good")))))
	if err != nil {
		log.Fatal(err)
	}
	if err := model.Compile(keras.Loss("binary_crossentropy"), keras.Client(client)); err != nil {
		log.Fatal(err)
	}
	if _, err := model.Fit(context.Background(), reviews, []float32{1, 0, 1, 0}, keras.Verbose(0)); err != nil {
		log.Fatal(err)
	}
	out, err := model.Predict(context.Background(), []string{"great film"}, keras.Verbose(0))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(out[0].Shape().Dimensions)
	model.Summary(os.Stdout)
	// Output:
	// [1 1]
	// Model: "functional"
	//
	// Layer (type)               Output Shape  Param #
	// review (InputLayer)        (None, 1)     0
	// words (TextVectorization)  (None, 3)     0
	// embed (Embedding)          (None, 3, 4)  32
	// flat (Flatten)             (None, 12)    0
	// good (Dense)               (None, 1)     13
	//
	// Total params: 92 (368 bytes)
	// Trainable params: 45 (180 bytes)
	// Non-trainable params: 0 (0 bytes)
	// Optimizer params: 47 (188 bytes)
}
