package layers_test

// This file tests the bounds of sizes: whatever numbers a layer is made with, it
// gives an error that names it, or tensors that can be computed with.

import (
	"math"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/layers"
)

// extremes are numbers that make sizes overflow, wrap or be refused.
var extremes = []int{math.MinInt64, -1 << 32, -2, -1, 0, 1, 1<<31 - 1, 1 << 31, 1 << 32, 1<<32 + 1, 1 << 42, 1 << 55, 1 << 56, 1 << 62, math.MaxInt64}

// withSize are the layers with one of their numbers free: the class that errors name, the function
// that makes the layer with the number n, and the number of dimensions of its inputs.
var withSize = []struct {
	kind string
	make func(n int) layers.Layer
	rank int // of the inputs, without the batch
}{
	{"Dense", func(n int) layers.Layer { return layers.Dense(n) }, 1},
	{"Embedding", func(n int) layers.Layer { return layers.Embedding(n, 3) }, 1},
	{"Embedding", func(n int) layers.Layer { return layers.Embedding(3, n) }, 1},
	{"Embedding", func(n int) layers.Layer { return layers.Embedding(n, n) }, 1},
	{"Conv2D", func(n int) layers.Layer { return layers.Conv2D(n, 1) }, 3},
	{"Conv2D", func(n int) layers.Layer { return layers.Conv2D(2, n, layers.Padding("same")) }, 3},
	{"Conv2D", func(n int) layers.Layer { return layers.Conv2D(2, []int{1, n}) }, 3},
	{"Conv2D", func(n int) layers.Layer { return layers.Conv2D(2, 1, layers.Strides(n), layers.Padding("same")) }, 3},
	{"Conv2D", func(n int) layers.Layer {
		return layers.Conv2D(2, 2, layers.DilationRate(n), layers.Padding("same"))
	}, 3},
	{"Conv2D", func(n int) layers.Layer { return layers.Conv2D(n, 1, layers.Groups(n)) }, 3},
	{"DepthwiseConv2D", func(n int) layers.Layer { return layers.DepthwiseConv2D(n, layers.Padding("same")) }, 3},
	{"DepthwiseConv2D", func(n int) layers.Layer { return layers.DepthwiseConv2D(1, layers.DepthMultiplier(n)) }, 3},
	{"MaxPooling2D", func(n int) layers.Layer { return layers.MaxPooling2D(layers.PoolSize(n), layers.Padding("same")) }, 3},
	{"MaxPooling2D", func(n int) layers.Layer { return layers.MaxPooling2D(layers.Strides(n), layers.Padding("same")) }, 3},
	{"AveragePooling2D", func(n int) layers.Layer { return layers.AveragePooling2D(layers.PoolSize(1, n)) }, 3},
	{"ZeroPadding2D", func(n int) layers.Layer { return layers.ZeroPadding2D(n) }, 3},
	{"ZeroPadding2D", func(n int) layers.Layer { return layers.ZeroPadding2D([]int{0, n, n, 0}) }, 3},
	{"Reshape", func(n int) layers.Layer { return layers.Reshape([]int{n}) }, 1},
	{"Reshape", func(n int) layers.Layer { return layers.Reshape([]int{n, n, -1}) }, 1},
	{"Reshape", func(n int) layers.Layer { return layers.Reshape([]int{n, n, n}) }, 3},
	{"Permute", func(n int) layers.Layer { return layers.Permute([]int{n, 1, 2}) }, 3},
	{"MultiHeadAttention", func(n int) layers.Layer { return layers.MultiHeadAttention(n, 2) }, 2},
	{"MultiHeadAttention", func(n int) layers.Layer { return layers.MultiHeadAttention(2, n) }, 2},
	{"MultiHeadAttention", func(n int) layers.Layer { return layers.MultiHeadAttention(n, n) }, 2},
	{"MultiHeadAttention", func(n int) layers.Layer { return layers.MultiHeadAttention(2, 2, layers.ValueDim(n)) }, 2},
	{"GroupQueryAttention", func(n int) layers.Layer { return layers.GroupQueryAttention(n, 4, 2) }, 2},
	{"GroupQueryAttention", func(n int) layers.Layer { return layers.GroupQueryAttention(2, n, n) }, 2},
	{"Concatenate", func(n int) layers.Layer { return layers.Concatenate(layers.Axis(n)) }, 3},
	{"LayerNormalization", func(n int) layers.Layer { return layers.LayerNormalization(layers.Axis(n)) }, 3},
	{"BatchNormalization", func(n int) layers.Layer { return layers.BatchNormalization(layers.Axis(n)) }, 3},
	{"RMSNormalization", func(n int) layers.Layer { return layers.RMSNormalization(layers.Axis(n)) }, 3},
}

// fixed are layers without such numbers, with the class that errors name. They get large inputs.
var fixed = []struct {
	kind string
	make func() layers.Layer
}{
	{"Flatten", func() layers.Layer { return layers.Flatten() }},
	{"Dense", func() layers.Layer { return layers.Dense(7) }},
	{"Conv2D", func() layers.Layer { return layers.Conv2D(3, 3, layers.Padding("same")) }},
	{"DepthwiseConv2D", func() layers.Layer { return layers.DepthwiseConv2D(3) }},
	{"MaxPooling2D", func() layers.Layer { return layers.MaxPooling2D() }},
	{"GlobalAveragePooling2D", func() layers.Layer { return layers.GlobalAveragePooling2D() }},
	{"ZeroPadding2D", func() layers.Layer { return layers.ZeroPadding2D([]int{1 << 20}) }},
	{"Reshape", func() layers.Layer { return layers.Reshape([]int{-1}) }},
	{"Permute", func() layers.Layer { return layers.Permute([]int{3, 1, 2}) }},
	{"Concatenate", func() layers.Layer { return layers.Concatenate(layers.Axis(1)) }},
	{"Add", func() layers.Layer { return layers.Add() }},
	{"BatchNormalization", func() layers.Layer { return layers.BatchNormalization() }},
	{"MultiHeadAttention", func() layers.Layer { return layers.MultiHeadAttention(2, 2) }},
	{"Embedding", func() layers.Layer { return layers.Embedding(8, 1<<20) }},
	{"Rescaling", func() layers.Layer { return layers.Rescaling(2) }},
}

// apply applies l, whose class is kind, to a symbolic tensor of a shape without the batch, twice
// the same one for classes that take two. The test fails if that panics, if an error does not name
// the layer or is long, or if an output or a variable would be too large.
func apply(t *testing.T, kind string, l layers.Layer, shape []int) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s on %v panics: %v", kind, shape, p)
		}
	}()
	x := layers.Input(shape, layers.DType(dtypes.Float32))
	inputs := []*layers.Tensor{x}
	switch kind {
	case "MultiHeadAttention", "GroupQueryAttention", "Concatenate", "Add":
		inputs = append(inputs, x)
	}
	for _, out := range layers.ApplyAll(l, inputs...) {
		if err := out.Err(); err != nil {
			if x.Err() == nil {
				named := strings.Contains(err.Error(), kind) || strings.Contains(err.Error(), layers.TypeName(l))
				require.True(t, named, "the error names the layer: %v", err)
			}
			require.NotContains(t, err.Error(), "BUG", "%s on %v", kind, shape)
			require.Less(t, len(err.Error()), 2000)
			continue
		}
		require.NoError(t, x.Err(), "the error of an input is that of what is made of it")
		dims := append([]int{}, out.Shape()...)
		for i, d := range dims {
			if d == layers.None {
				dims[i] = 1
			}
		}
		_, ok := ir.Elements(dims...)
		require.True(t, ok, "%s on %v makes %v", kind, shape, out.Shape())
		for _, v := range out.Producer().Variables() {
			require.NoError(t, v.Type().CheckSize(), "%s on %v", kind, shape)
		}
	}
}

// TestExtremeSizes applies layers made with extreme numbers, and ordinary layers to extreme and
// open input shapes. Each must give an error that names it, or an output of a valid size. It must
// not panic, and no number may overflow.
func TestExtremeSizes(t *testing.T) {
	for _, tc := range withSize {
		for _, n := range extremes {
			apply(t, tc.kind, tc.make(n), []int{6, 4, 2}[:tc.rank])
		}
	}
	for _, tc := range fixed {
		for _, shape := range [][]int{
			{1 << 32, 1 << 32}, {1 << 32, 1 << 32, 1}, {1 << 62}, {1 << 40}, {1 << 20, 1 << 20, 2}, {1 << 13, 1 << 13, 1 << 13}, {math.MaxInt64, 2, 2},
			{layers.None, 1 << 40}, {layers.None, layers.None, 1 << 20}, {layers.None, layers.None, layers.None}, {1, 1 << 41, 1},
		} {
			apply(t, tc.kind, tc.make(), shape)
		}
	}
}

// Sizes that overflow a number of elements, which users have tried, are errors that name the layer.
func TestHugeSizes(t *testing.T) {
	for name, x := range map[string]*layers.Tensor{
		"dense":   layers.Input([]int{4}).Apply(layers.Dense(1 << 62)),
		"Input":   layers.Input([]int{1 << 32, 1 << 32}).Apply(layers.Flatten()),
		"reshape": layers.Input([]int{1 << 20}).Apply(layers.Reshape([]int{1 << 32, 1 << 32})),
		"concatenate": layers.Apply(layers.Concatenate(), layers.Input([]int{1 << 42}), layers.Input([]int{1 << 42}),
			layers.Input([]int{1 << 42})),
	} {
		require.ErrorContains(t, x.Err(), name)
	}
}

// FuzzSizes makes layers and inputs of arbitrary sizes. They must work, or return an error that
// names the layer, and never panic.
func FuzzSizes(f *testing.F) {
	f.Add(0, 1<<62, 4, 1)
	f.Add(20, 1<<31, 1<<31, 1<<31)
	f.Fuzz(func(t *testing.T, which, n, a, b int) {
		tc := withSize[int(uint(which)%uint(len(withSize)))]
		apply(t, tc.kind, tc.make(n), []int{a, b, 2}[:tc.rank])
	})
}
