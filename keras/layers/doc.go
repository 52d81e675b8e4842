// Package layers holds the building blocks of models: keras.layers in Go.
//
// A layer is any Go type that embeds Base and has Compute, which computes on Tensors by
// functions of package ops, or Call, which computes on GoMLX nodes; and Build if it makes
// variables from the shapes of its inputs. It consists of the layers in exported fields of its
// struct. Nothing else is needed: the shape of a layer's output is found by tracing it, and its
// gradient by differentiating it.
//
// Layers are connected by applying them to symbolic tensors:
//
//	x := layers.Input([]int{28, 28, 1})
//	y := x.Apply(layers.Flatten()).Apply(layers.Dense(10, layers.Activation("softmax")))
//
// An error (a negative number of units, a shape that does not fit) is kept in
// the Tensor and returned by keras.NewModel, with the name of the layer and the line
// that made or applied it, so that a model can be written as one expression.
//
// It does not train models: package keras does.
//
// Order of use: Input makes a symbolic tensor, Tensor.Apply applies layers to it, and
// keras.NewModel takes the first and the last tensors. Or keras.NewSequential takes a list of
// layers.
//
// # Options
//
// A class of Keras is a row of its family's table, such as convClasses: the name, and the function
// that makes the layer of its options, a struct. The struct says all about them:
//
//	type convOptions struct {
//		filterOptions      // Filters
//		kernelOptions      // KernelInitializer, KernelRegularizer, KernelConstraint
//		convolutionOptions // those of all convolutions
//		Groups groupCount `option:"groups" default:"1"`
//	}
//
// A layer takes the options that are fields of its struct, and those of the structs that it embeds.
// The name of a field is the name of the option (of the constructor's argument, with the tag
// argument); the tag has the key in Keras' configs, the default and the check (internal/option).
// The exported function only says what was given: Groups(2) is set("Groups", 2). Configs, .keras
// files and the error of an option that a layer does not take follow from the struct.
//
//	file              what it holds
//	layer.go          Layer, Base, Builder, Configured, automatic names
//	context.go        Context: AddLoss, AddMetric
//	tensor.go         Tensor, Input, Apply
//	compute.go        the method Compute of a layer of one's own, on Tensors
//	arrays.go         operations on arrays, computed at once
//	values.go         Tensors in a layer of one's own, and arrays: Context.Tensor, NewArray
//	traced.go         layers traced for the shapes of their outputs
//	errors.go         the errors of a graph of layers: Errors, ConstructionError, IsNil
//	nesting.go        layers that consist of layers: Context.Apply, Composite, Parts
//	calls.go          calls of layers with arguments besides tensors: Called, WithTraining
//	policy.go         dtype policies: SetDTypePolicy, mixed precision
//	remat.go          RematScope, Remat: layers that are computed again in the backward pass
//	masking.go        masks of sequences, and how they go from layer to layer
//	declare.go        layers that are declared by a struct of options: classOf, FromConfig
//	format.go         DataFormat: channels before the other dimensions
//	options.go        Option, and the options that several families share
//	host.go           HostLayer: layers that run on the host, in models and in datasets; String, the type of texts
//	core.go           Dense, Activation, Masking, Lambda, Identity, Pipeline
//	core_einsum.go    EinsumDense
//	core_embedding.go Embedding, ReversibleEmbedding
//	lora.go           LoraRank, EnableLora: low-rank adaptations of kernels
//	activation.go     ReLU, LeakyReLU, PReLU, ELU, Softmax
//	conv.go           Conv1D to Conv3D, their transposed forms, DepthwiseConv1D, DepthwiseConv2D, SeparableConv1D, SeparableConv2D
//	conv_window.go    windows over one, two or three spatial dimensions
//	pooling.go        MaxPooling, AveragePooling, their global and adaptive forms, 1D to 3D
//	reshaping.go      Flatten, Reshape, Permute, RepeatVector
//	reshaping_spatial.go  UpSampling, ZeroPadding, Cropping, 1D to 3D
//	merging.go        Add, Subtract, Multiply, Average, Minimum, Maximum, Dot, Concatenate
//	normalization.go  LayerNormalization, RMSNormalization, GroupNormalization, UnitNormalization
//	normalization_batch.go     BatchNormalization, and batch renormalization
//	normalization_spectral.go  SpectralNormalization
//	regularization.go Dropout, SpatialDropout1D to 3D, GaussianNoise, GaussianDropout, AlphaDropout, ActivityRegularization
//	attention.go      MultiHeadAttention, GroupQueryAttention
//	attention_score.go  Attention, AdditiveAttention
//	recurrent.go      RNN, SimpleRNN, LSTM, GRU: the loop over the steps of a sequence; Cell, one step of it
//	recurrent_cells.go      SimpleRNNCell, LSTMCell, GRUCell, StackedRNNCells
//	recurrent_conv_lstm.go  ConvLSTM1D to 3D
//	recurrent_wrappers.go   Bidirectional, TimeDistributed
//	preprocessing_images.go         CenterCrop, Resizing, MaxNumBoundingBoxes
//	preprocessing_normalization.go  Normalization, Rescaling
//	preprocessing_categories.go     CategoryEncoding, Discretization
//	preprocessing_lookup.go         StringLookup, IntegerLookup; the options of layers with a vocabulary
//	preprocessing_text.go           TextVectorization
//	preprocessing_hashing.go        Hashing, HashedCrossing
//	preprocessing_data.go           the data that layers adapt to: batches, rows, hashes, encodings
//	preprocessing_spectrogram.go    STFTSpectrogram, MelSpectrogram
//	augmentation.go           the frame of layers that change images while training: random numbers, then a function of images; factors
//	augmentation_geometry.go  RandomFlip, RandomTranslation, RandomZoom, RandomRotation, RandomShear, RandomCrop, RandomPerspective, RandomElasticTransform
//	augmentation_color.go     RandomContrast, RandomBrightness, RandomHue, RandomSaturation, RandomGrayscale, RandomInvert, RandomPosterization, RandomColorDegeneration, Solarization, AutoContrast, Equalization, ContrastLimitedAdaptiveHistogramEqualization
//	augmentation_filter.go    RandomSharpness, RandomGaussianBlur, RandomErasing
//	augmentation_mix.go       CutMix, MixUp
//	augmentation_policy.go    RandomColorJitter, RandAugment, AugMix: layers that consist of others
//	operation.go      operations on tensors: NewOperation, Operate, x.Add(y) and the other operators
package layers
