// Package layers holds the building blocks of models: keras.layers in Go.
//
// A layer is any Go type that embeds Base and has Call, which computes on GoMLX
// nodes, and Build if it makes variables from the shapes of its inputs. Layers
// in the fields of its struct are parts of it.
// Nothing else is needed: the shape of a layer's output is found by tracing
// Call, and its gradient by differentiating it.
//
// Layers are connected by applying them to symbolic tensors:
//
//	x := layers.Input([]int{28, 28, 1})
//	y := x.Apply(layers.Flatten()).Apply(layers.Dense(10, layers.Activation("softmax")))
//
// What goes wrong on the way (a negative number of units, a shape that does
// not fit) is kept in the Tensor and returned by keras.NewModel, so that a
// model reads as one expression.
//
// It is not the place where models are trained: that is package keras.
//
//	file             what it holds
//	layer.go         Layer, Base, Builder, Context: what every layer is
//	tensor.go        Tensor, Input, Apply: connecting layers
//	nesting.go       layers that consist of layers
//	spec.go          the shape of a layer's output, found by tracing
//	policy.go        dtype policies: SetDTypePolicy, mixed precision
//	options.go       the options that layers share, and automatic names
//	options_window.go, options_more.go
//	                 the options of some layers
//	dense.go         Dense
//	dropout.go       Dropout
//	convolution.go   Conv2D, DepthwiseConv2D
//	pooling.go       MaxPooling2D, AveragePooling2D and their global kin
//	window.go        the geometry of windows over images
//	normalization.go BatchNormalization, LayerNormalization, RMSNormalization
//	embedding.go     Embedding
//	attention.go     MultiHeadAttention, GroupQueryAttention
//	merging.go       Add, Multiply, Concatenate
//	reshaping.go     Flatten, Reshape, Permute, ZeroPadding2D
//	rescaling.go     Rescaling
//	activation.go    Activation as a layer
//	config.go        how a layer was made, for files
package layers
