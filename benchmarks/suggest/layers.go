package main

// This file builds the models from layers.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
)

func mlp() (in, out *layers.Tensor) {
	x := keras.Input([]int{1024})
	y := dense(x, "d1", 2048, "relu")
	y = dense(y, "d2", 2048, "relu")
	y = dense(y, "d3", 2048, "relu")
	return x, dense(y, "d4", 1024, "softmax")
}

func conv() (in, out *layers.Tensor) {
	x := keras.Input([]int{8, 8, 64})
	y := x
	for i, filters := range []int{256, 256, 512, 512} {
		if i == 2 {
			y = y.Apply(layers.MaxPooling2D())
		}
		y = conv3x3(y, fmt.Sprintf("c%d", i+1), filters)
	}
	y = y.Apply(layers.GlobalAveragePooling2D())
	y = dense(y, "d1", 4096, "relu")
	return x, dense(y, "d2", 512, "softmax")
}

// transformer returns input and output of the model of examples/transformer, with wider layers.
func transformer() (in, out *layers.Tensor) {
	const vocabulary, dim, heads, context = 512, 256, 8, 64
	x := keras.Input([]int{context}, layers.DType(dtypes.Int32))
	y := x.Apply(layers.Embedding(vocabulary, dim, layers.Name("tokens")))
	for i := range 4 {
		y = block(y, i, layerNorm, layers.MultiHeadAttention(heads, dim/heads, attention(i), layers.UseCausalMask()), mlpBlock)
	}
	y = y.Apply(layerNorm("norm"))
	return x, y.Apply(layers.Dense(vocabulary, layers.Name("head"), layers.UseBias(false), layers.Activation("softmax")))
}

func embedding() (in, out *layers.Tensor) {
	x := keras.Input([]int{16}, layers.DType(dtypes.Int32))
	y := x.Apply(layers.Embedding(16384, 128, layers.Name("items")))
	y = y.Apply(layers.Flatten())
	y = dense(y, "d1", 512, "relu")
	y = dense(y, "d2", 256, "relu")
	return x, dense(y, "scores", 16384, "softmax")
}

func lstm() (in, out *layers.Tensor) {
	x := keras.Input([]int{12, 256})
	y := x.Apply(layers.LSTM(512, layers.Name("lstm1"), layers.ReturnSequences()))
	y = y.Apply(layers.LSTM(512, layers.Name("lstm2")))
	y = dense(y, "d1", 1024, "relu")
	return x, dense(y, "d2", 256, "softmax")
}

// vit returns input and output of a vision transformer with two blocks, for images of 32×32 pixels
// in three colours and 1024 classes.
func vit() (in, out *layers.Tensor) {
	const dim, heads = 256, 8
	x := keras.Input([]int{32, 32, 3})
	y := x.Apply(layers.Conv2D(dim, []int{4, 4}, layers.Strides(4), layers.Name("patches")))
	y = y.Apply(layers.Reshape([]int{64, dim}))
	for i := range 2 {
		y = block(y, i, layerNorm, layers.MultiHeadAttention(heads, dim/heads, attention(i)), mlpBlock)
	}
	y = y.Apply(layerNorm("norm")).Apply(layers.GlobalAveragePooling1D())
	return x, dense(y, "classes", 1024, "softmax")
}

// unet returns input and output of a U-Net with two levels of two convolutions each. Each level on
// the way up also reads the output of its level on the way down.
func unet() (in, out *layers.Tensor) {
	two := func(x *layers.Tensor, name string, filters int) *layers.Tensor {
		return conv3x3(conv3x3(x, name+"a", filters), name+"b", filters)
	}
	up := func(x, skipped *layers.Tensor, name string) *layers.Tensor {
		return layers.Apply(layers.Concatenate(layers.Name(name+"_join")), x.Apply(layers.UpSampling2D(layers.Name(name+"_up"))), skipped)
	}
	x := keras.Input([]int{32, 32, 16})
	first := two(x, "down1", 64)
	second := two(first.Apply(layers.MaxPooling2D()), "down2", 128)
	y := two(second.Apply(layers.MaxPooling2D()), "middle", 256)
	y = two(up(y, second, "level2"), "up2", 128)
	y = two(up(y, first, "level1"), "up1", 64)
	return x, y.Apply(layers.Conv2D(8, []int{1, 1}, layers.Name("classes"), layers.Activation("softmax")))
}

// llama returns the input and output of a small model with Llama's layers: two blocks with grouped
// queries, gated hidden units, RMS normalization and no biases. The input is 64 tokens of 1024.
func llama() (in, out *layers.Tensor) {
	const vocabulary, dim, heads, groups, context = 1024, 256, 8, 4, 64
	rms := func(name string) layers.Layer { return layers.RMSNormalization(layers.Name(name)) }
	linear := func(x *layers.Tensor, name string, units int, activation any) *layers.Tensor {
		return x.Apply(layers.Dense(units, layers.Name(name), layers.UseBias(false), layers.Activation(activation)))
	}
	x := keras.Input([]int{context}, layers.DType(dtypes.Int32))
	y := x.Apply(layers.Embedding(vocabulary, dim, layers.Name("tokens")))
	for i := range 2 {
		gqa := layers.GroupQueryAttention(dim/heads, heads, groups, attention(i), layers.UseBias(false), layers.UseCausalMask())
		y = block(y, i, rms, gqa, func(x *layers.Tensor, name string) *layers.Tensor {
			gated := layers.Apply(layers.Multiply(layers.Name(name+"gated")), linear(x, name+"gate", 1024, "silu"), linear(x, name+"up", 1024, "linear"))
			return linear(gated, name+"down", dim, "linear")
		})
	}
	return x, linear(y.Apply(rms("norm")), "head", vocabulary, "softmax")
}

// recommender returns input and output of a model that predicts the next item from the eight latest
// ones, by a wide and a deep part.
func recommender() (in, out *layers.Tensor) {
	x := keras.Input([]int{8}, layers.DType(dtypes.Int32))
	deep := x.Apply(layers.Embedding(32768, 64, layers.Name("items"))).Apply(layers.Flatten())
	wide := x.Apply(layers.Embedding(32768, 128, layers.Name("users"))).Apply(layers.GlobalAveragePooling1D())
	deep = dense(deep, "deep1", 1024, "relu")
	deep = dense(deep, "deep2", 128, "relu")
	y := layers.Apply(layers.Concatenate(), deep, wide)
	return x, dense(y, "next", 8192, "softmax")
}

// mixer returns input and output of a model that mixes patches and channels alternately (Tolstikhin
// and others, 2021).
func mixer() (in, out *layers.Tensor) {
	const patches, channels = 64, 256
	x := keras.Input([]int{patches, channels})
	y := x
	for i := range 2 {
		name := fmt.Sprintf("block%d_", i)
		h := y.Apply(layerNorm(name + "norm1")).Apply(layers.Permute([]int{2, 1}, layers.Name(name+"there")))
		h = dense(dense(h, name+"patch_up", 512, "gelu"), name+"patch_down", patches, "linear")
		y = layers.Apply(layers.Add(layers.Name(name+"add1")), y, h.Apply(layers.Permute([]int{2, 1}, layers.Name(name+"back"))))
		h = y.Apply(layerNorm(name + "norm2"))
		h = dense(dense(h, name+"channel_up", 1024, "gelu"), name+"channel_down", channels, "linear")
		y = layers.Apply(layers.Add(layers.Name(name+"add2")), y, h)
	}
	return x, dense(y.Apply(layers.GlobalAveragePooling1D()), "classes", 1024, "softmax")
}

// block returns block i of a transformer of x: attention, then hidden units, each after a
// normalization and with a residual connection.
func block(x *layers.Tensor, i int, norm func(name string) layers.Layer, attention layers.Layer, hidden func(x *layers.Tensor, name string) *layers.Tensor) *layers.Tensor {
	name := fmt.Sprintf("block%d_", i)
	h := x.Apply(norm(name + "norm1")).Apply(attention)
	x = layers.Apply(layers.Add(layers.Name(name+"add1")), x, h)
	h = hidden(x.Apply(norm(name+"norm2")), name)
	return layers.Apply(layers.Add(layers.Name(name+"add2")), x, h)
}

// attention returns the option that names the attention layer of block i: blockI_attention.
func attention(i int) layers.Option { return layers.Name(fmt.Sprintf("block%d_attention", i)) }

// mlpBlock returns the hidden units of a block, four times as many as x has, and their projection
// back. name begins the layers' names.
func mlpBlock(x *layers.Tensor, name string) *layers.Tensor {
	dim := x.Shape()[len(x.Shape())-1]
	return dense(dense(x, name+"up", 4*dim, "gelu"), name+"down", dim, "linear")
}

func layerNorm(name string) layers.Layer { return layers.LayerNormalization(layers.Name(name)) }

func dense(x *layers.Tensor, name string, units int, activation any) *layers.Tensor {
	return x.Apply(layers.Dense(units, layers.Name(name), layers.Activation(activation)))
}

func conv3x3(x *layers.Tensor, name string, filters int) *layers.Tensor {
	return x.Apply(layers.Conv2D(filters, []int{3, 3}, layers.Name(name), layers.Activation("relu"), layers.Padding("same")))
}
