package applications

// This file defines the residual networks of He et al., "Deep Residual Learning
// for Image Recognition" (2015), as Keras has them: with biases in the
// convolutions and the strides in the first convolution of a block.

import (
	"context"
	"fmt"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
)

// ResNet50 returns the residual network of 50 layers:
// keras.applications.ResNet50. Options: Name, Weights, IncludeTop, InputTensor,
// InputShape, Pooling, Classes, ClassifierActivation, Output.
//
// Its images must be prepared by resnet.PreprocessInput.
func ResNet50(ctx context.Context, opts ...Option) (*keras.Model, error) {
	return resNet(ctx, "ResNet50", "resnet50", [4]int{3, 4, 6, 3}, opts)
}

// ResNet101 returns the model that ResNet50 does, with 101 layers: keras.applications.ResNet101.
func ResNet101(ctx context.Context, opts ...Option) (*keras.Model, error) {
	return resNet(ctx, "ResNet101", "resnet101", [4]int{3, 4, 23, 3}, opts)
}

// ResNet152 returns the model that ResNet50 does, with 152 layers: keras.applications.ResNet152.
func ResNet152(ctx context.Context, opts ...Option) (*keras.Model, error) {
	return resNet(ctx, "ResNet152", "resnet152", [4]int{3, 8, 36, 3}, opts)
}

// resNet returns the network of that kind and name, whose four stacks have the given numbers of
// blocks.
func resNet(ctx context.Context, kind, name string, blocks [4]int, opts []Option) (*keras.Model, error) {
	c, err := configure(kind, name, opts)
	if err != nil {
		return nil, fmt.Errorf("applications: %w", err)
	}
	m, err := buildResNet(&c, blocks)
	if err == nil {
		err = c.load(ctx, m, name)
	}
	if err != nil {
		return nil, fmt.Errorf("applications: %s: %w", kind, err)
	}
	return m, nil
}

func buildResNet(c *config, blocks [4]int) (*keras.Model, error) {
	inputs, x, err := c.inputs()
	if err != nil {
		return nil, err
	}
	x = x.Apply(layers.ZeroPadding2D(3, layers.Name("conv1_pad")))
	x = convBN(x, "conv1", "", 64, 7, layers.Strides(2))
	x = relu(x, "conv1_relu")
	x = x.Apply(layers.ZeroPadding2D(1, layers.Name("pool1_pad")))
	x = x.Apply(layers.MaxPooling2D(layers.PoolSize(3), layers.Strides(2), layers.Name("pool1_pool")))
	for i, n := range blocks {
		stride := 2
		if i == 0 {
			stride = 1 // the pooling has already halved the image
		}
		x = stack(x, fmt.Sprintf("conv%d", i+2), 64<<i, n, stride)
	}
	switch {
	case c.includeTop:
		x = x.Apply(layers.GlobalAveragePooling2D(layers.Name("avg_pool")))
		x = x.Apply(layers.Dense(c.classes, layers.Activation(c.classifierActivation), layers.Name("predictions")))
	case c.pooling == "avg":
		x = x.Apply(layers.GlobalAveragePooling2D(layers.Name("avg_pool")))
	case c.pooling == "max":
		x = x.Apply(layers.GlobalMaxPooling2D(layers.Name("max_pool")))
	}
	m, err := keras.NewModel(inputs, []*layers.Tensor{x})
	if err != nil {
		return nil, err
	}
	return m, m.SetName(c.name)
}

// stack applies n residual blocks with that many filters to x, and returns the output, which has
// four times as many channels. The names of their layers begin with name. The first block has the
// given stride, and so may change the size.
func stack(x *layers.Tensor, name string, filters, n, stride int) *layers.Tensor {
	for i := range n {
		if i > 0 {
			stride = 1
		}
		x = block(x, fmt.Sprintf("%s_block%d", name, i+1), filters, stride, i == 0)
	}
	return x
}

// block returns a residual block on x: three convolutions with batch normalization and relu, plus x
// itself or, with convShortcut, a convolution of x; then relu. The first two have that many
// filters, and the result four times as many channels. The first one and the shortcut have the
// stride. The layers' names begin with name.
func block(x *layers.Tensor, name string, filters, stride int, convShortcut bool) *layers.Tensor {
	shortcut := x
	if convShortcut {
		shortcut = convBN(x, name, "_0", 4*filters, 1, layers.Strides(stride))
	}
	x = relu(convBN(x, name, "_1", filters, 1, layers.Strides(stride)), name+"_1_relu")
	x = relu(convBN(x, name, "_2", filters, 3, layers.Padding("same")), name+"_2_relu")
	x = convBN(x, name, "_3", 4*filters, 1)
	return relu(layers.Apply(layers.Add(layers.Name(name+"_add")), shortcut, x), name+"_out")
}

// convBN returns the batch normalization of a convolution of x, with these filters, kernel size and
// options. The names of both layers begin with name and suffix.
func convBN(x *layers.Tensor, name, suffix string, filters, size int, opts ...layers.Option) *layers.Tensor {
	x = x.Apply(layers.Conv2D(filters, size, append(opts, layers.Name(name+suffix+"_conv"))...))
	return x.Apply(layers.BatchNormalization(layers.Epsilon(1.001e-5), layers.Name(name+suffix+"_bn")))
}

func relu(x *layers.Tensor, name string) *layers.Tensor {
	return x.Apply(layers.NewActivation("relu", layers.Name(name)))
}
