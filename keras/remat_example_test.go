package keras_test

import (
	"context"
	"fmt"
	"io"
	"log"

	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
)

// A model is trained whose layers with large outputs are computed again in the backward pass,
// except the head, which a policy keeps.
func ExampleRematScope() {
	x := keras.Input([]int{16})
	y := x
	err := keras.RematScope{Mode: "larger_than", OutputSizeThreshold: 2000}.Do(func() error {
		for i := range 3 {
			y = y.Apply(layers.Dense(64, layers.Activation("silu"), layers.Name(fmt.Sprint("hidden_", i))))
		}
		y = y.Apply(layers.Dense(1, layers.Name("head")))
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	policies := memory.NewPolicies()
	policies.Set(`hidden_[12]`, memory.Recompute)
	policies.Set("head.*", memory.Save)

	model := keras.Must(keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y}))
	if err := model.Compile(keras.Loss("mse"), keras.MemoryPolicies(policies), keras.Memory("12GB")); err != nil {
		log.Fatal(err)
	}
	batch, target := make([][]float32, 64), make([][]float32, 64)
	for i := range batch {
		batch[i], target[i] = make([]float32, 16), make([]float32, 1)
	}
	if _, err := model.Fit(context.Background(), batch, target, keras.BatchSize(64), keras.Output(io.Discard)); err != nil {
		log.Fatal(err)
	}
	by := map[string]int{}
	for _, v := range model.Programs()[0].Fitting.Values {
		if v.Action == memory.Recompute {
			by[v.By]++
		}
	}
	fmt.Println(by)
	// Output:
	// map[RematScope(larger_than):2 policy "hidden_[12]":4]
}
