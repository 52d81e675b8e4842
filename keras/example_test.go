package keras_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/ops"
	"github.com/gospmd/gospmd/runtime"
)

// A model is written as for one device; its variables get their layouts from
// the distribution that is current when it is made.
func Example() {
	layers.ClearSession()
	err := distribution.Initialize(context.Background(), distribution.Options{Platform: "cpu", Devices: 8})
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
		model, err := keras.NewModel(keras.Tensors(x), keras.Tensors(y))
		if err != nil {
			log.Fatal(err)
		}
		return model.Summary(os.Stdout)
	})
	// Output:
	// Model: "functional"
	//
	// Layer (type)     Output Shape  Param #  Bytes per device
	// x (InputLayer)   (None, 16)    0        0
	// hidden (Dense)   (None, 32)    544      640
	// classes (Dense)  (None, 4)     132      528
	//
	// Variable        Shape     Rule           Layout           Bytes per device
	// hidden/kernel   (16, 32)  hidden/kernel  [{}, {"model"}]  512
	// hidden/bias     (32,)     -              [{}]             128
	// classes/kernel  (32, 4)   -              [{}, {}]         512
	// classes/bias    (4,)      -              [{}]             16
	//
	// Memory      Bytes per device
	// parameters  1,168
	//
	// Total params: 676 (2,704 bytes, 1,168 per device)
	// Trainable params: 676 (2,704 bytes, 1,168 per device)
	// Non-trainable params: 0 (0 bytes, 0 per device)
}

// An error in a layer's arguments is returned when the model is made. It names the layer and the
// line. The methods of a zero Model return errors too.
func ExampleNewModel_error() {
	x := keras.Input([]int{16})
	y := x.Apply(layers.Dense(-3, layers.Name("d")))
	_, err := keras.NewModel(keras.Tensors(x), keras.Tensors(y), keras.Name("classifier"))
	fmt.Println(err)
	_, err = (&keras.Model{}).Predict(context.Background(), nil)
	fmt.Println(err)
	// Output:
	// keras: model classifier: example_test.go:70: layer d: Dense: Units: got -3, want a positive number of at most 2147483647
	// keras: predict: the model is a zero keras.Model: make one by NewModel, NewSequential or NewSubclassed
}

// A user's own training step trains the loss of the model, and also logs how large the gradients
// are.
func ExampleTrainStep() {
	client, err := runtime.Open(context.Background(), runtime.Options{Platform: "cpu", Engine: runtime.EngineGo})
	if err != nil {
		log.Fatal(err)
	}
	x := keras.Input([]int{2})
	model, err := keras.NewModel(keras.Tensors(x), keras.Tensors(x.Apply(layers.Dense(1, layers.KernelInitializer("zeros")))))
	if err != nil {
		log.Fatal(err)
	}
	err = model.Compile(keras.Loss("mse"), keras.Optimizer("sgd"), keras.Client(client), keras.TrainStep(func(s *keras.Step) keras.StepLogs {
		predictions := s.Call(s.X...)
		loss := s.ComputeLoss(predictions...)
		trained := s.Model().TrainableVariables()
		gradients := s.Gradients(loss, trained...)
		s.ApplyGradients(s.Model().Optimizer(), gradients, trained...)
		s.UpdateMetrics(loss, predictions...)
		logs := s.Metrics()
		logs["gradient"] = ops.Max(ops.Absolute(gradients[0]))
		return logs
	}))
	if err != nil {
		log.Fatal(err)
	}
	history, err := model.Fit(context.Background(), [][]float32{{1, 0}, {0, 2}}, [][]float32{{1}, {2}}, keras.Verbose(0))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("loss", history.Logs["loss"], "gradient", history.Logs["gradient"])
	// Output: loss [2.5] gradient [4]
}
