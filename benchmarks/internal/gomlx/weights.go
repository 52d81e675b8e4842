package gomlx

// This file gives the variables their first values.

import (
	"regexp"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/gospmd/gospmd/benchmarks/steps"
)

// paths has the path in GoMLX for each of Keras' paths. The first matching row is used.
var paths = []struct {
	keras *regexp.Regexp
	gomlx string
}{
	{regexp.MustCompile(`^(.*_attention)/attention_output/kernel$`), "$1/MultiHeadAttention/output/dense/weights"},
	{regexp.MustCompile(`^(.*_attention)/attention_output/bias$`), "$1/MultiHeadAttention/output/dense/biases"},
	{regexp.MustCompile(`^(.*_attention)/(\w+)/kernel$`), "$1/MultiHeadAttention/$2/dense/weights"},
	{regexp.MustCompile(`^(.*_attention)/(\w+)/bias$`), "$1/MultiHeadAttention/$2/dense/biases"},
	{regexp.MustCompile(`^(.*)/gamma$`), "$1/layer_normalization/gain"},
	{regexp.MustCompile(`^(.*)/beta$`), "$1/layer_normalization/offset"},
	{regexp.MustCompile(`^(c\d)/kernel$`), "$1/conv/weights"},
	{regexp.MustCompile(`^(c\d)/bias$`), "$1/conv/biases"},
	{regexp.MustCompile(`^(.*)/kernel$`), "$1/dense/weights"},
	{regexp.MustCompile(`^(.*)/bias$`), "$1/dense/biases"},
}

// pathOf returns the path of a variable in GoMLX's store for its path in Keras, by the table paths.
// A path that no row matches only gets a "/" in front.
func pathOf(keras string) string {
	for _, p := range paths {
		if p.keras.MatchString(keras) {
			return "/" + p.keras.ReplaceAllString(keras, p.gomlx)
		}
	}
	return "/" + keras
}

// load makes the variables of a GoMLX model in store, with the values of weights: all workers begin
// a training with the same values.
func load(store *model.Store, weights []steps.Weight) error {
	for _, w := range weights {
		path := pathOf(w.Path)
		if strings.Contains(path, "/MultiHeadAttention/") {
			var err error
			if w.Value, err = withoutHeads(path, w.Value); err != nil {
				return err
			}
		}
		if _, err := store.CreateVariable(path, w.Value); err != nil {
			return err
		}
	}
	return nil
}

// withoutHeads reshapes a weight of an attention: the heads and the features of a head are two
// dimensions in Keras, and one here.
func withoutHeads(path string, t *tensors.Tensor) (*tensors.Tensor, error) {
	dims := t.Shape().Dimensions
	switch {
	case len(dims) == 3 && strings.Contains(path, "/output/"):
		dims = []int{dims[0] * dims[1], dims[2]}
	case len(dims) == 3:
		dims = []int{dims[0], dims[1] * dims[2]}
	case len(dims) == 2:
		dims = []int{dims[0] * dims[1]}
	}
	values, err := tensors.CopyFlatData[float32](t)
	if err != nil {
		return nil, err
	}
	return tensors.FromFlatDataAndDimensions(values, dims...), nil
}
