package keras

// This file holds short forms for programs.

import "github.com/gospmd/gospmd/keras/layers"

// Must returns v, or panics with err: for programs that end at the first error, and for variables
// of packages.
//
//	model := keras.Must(keras.Functional(x, y))
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// OneOrMore is a tensor, or a list of them, as Tensors makes.
type OneOrMore interface {
	*layers.Tensor | []*layers.Tensor
}

// Functional is NewModel for one tensor or several, and has its errors: keras.Model(inputs,
// outputs).
//
//	model, err := keras.Functional(x, y)
//	model, err := keras.Functional(x, keras.Tensors(mean, variance))
func Functional[In, Out OneOrMore](inputs In, outputs Out, opts ...ModelOption) (*Model, error) {
	return NewModel(listOf(inputs), listOf(outputs), opts...)
}

func listOf[T OneOrMore](ts T) []*layers.Tensor {
	if t, ok := any(ts).(*layers.Tensor); ok {
		return []*layers.Tensor{t}
	}
	return any(ts).([]*layers.Tensor)
}
