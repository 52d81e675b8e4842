package optimizers_test

// The update rules are compared with Keras by the tests of package keras,
// which train models.

import (
	"fmt"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/variable"
)

func Example() {
	o := optimizers.RMSprop(optimizers.Momentum(0.9))
	kernel := variable.New("d1/kernel", []int{4, 2}, dtypes.Float32, initializers.Zeros())
	fmt.Println(o.Build([]*variable.Variable{kernel}, nil))
	for _, v := range o.Variables() {
		fmt.Println(v.Path())
	}
	// Output:
	// <nil>
	// rm_sprop/iteration
	// rm_sprop/learning_rate
	// rm_sprop/d1_kernel_velocity
	// rm_sprop/d1_kernel_momentum
}

func TestGet(t *testing.T) {
	for _, tc := range []struct {
		name      string
		optimizer any
		wantErr   string // empty means success
	}{
		{"name", "rmsprop", ""},
		{"class name", "RMSprop", ""},
		{"object", optimizers.SGD(optimizers.LearningRate(0.1)), ""},
		{"unknown", "adamm", `unknown optimizer "adamm": want one of adam, rmsprop, sgd`},
		{"not an optimizer", 1, "optimizer is a int"},
		{"option of another", optimizers.SGD(optimizers.Rho(0.5)), "SGD takes no option Rho: it takes Name, LearningRate, Momentum, Nesterov"},
		{"momentum", optimizers.SGD(optimizers.Momentum(1.5)), "Momentum: got 1.5, want a number in [0, 1]"},
		{"learning rate", optimizers.Adam(optimizers.LearningRate(-1)), "got learning rate -1"},
		{"epsilon", optimizers.Adam(optimizers.Epsilon(-1)), "Epsilon: got -1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := optimizers.Get(tc.optimizer)
			if tc.wantErr == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, tc.wantErr)
			}
		})
	}
}

func TestBuildTwice(t *testing.T) {
	v := variable.New("a", []int{1}, dtypes.Float32, initializers.Zeros())
	w := variable.New("b", []int{1}, dtypes.Float32, initializers.Zeros())
	o := optimizers.Adam()
	require.NoError(t, o.Build([]*variable.Variable{v}, nil))
	require.NoError(t, o.Build([]*variable.Variable{v}, nil))
	require.Len(t, o.Variables(), 4)
	require.ErrorContains(t, o.Build([]*variable.Variable{w}, nil), "already belongs to a model")
}

func TestLearningRate(t *testing.T) {
	o := optimizers.SGD()
	rate, err := o.LearningRate(t.Context())
	require.NoError(t, err)
	require.Equal(t, 0.01, rate)
	require.NoError(t, o.SetLearningRate(nil, 0.5))
	require.ErrorContains(t, o.SetLearningRate(nil, -0.5), "got learning rate -0.5")
	require.NoError(t, o.Build(nil, nil))
	rate, err = o.LearningRate(t.Context())
	require.NoError(t, err)
	require.Equal(t, 0.5, rate)
}
