// Package layers holds the building blocks of models: keras.layers in Go.
//
// A layer is any Go type that embeds Base and has Compute, which computes on Tensors by
// functions of package ops, or Call, which computes on GoMLX nodes; and Build if it makes
// variables from the shapes of its inputs. It
// consists of the layers in exported fields of its struct. Nothing else is
// needed: the shape of a layer's output is found by tracing it, and its
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
//	file              what it holds
//	layer.go          Layer, Base, Builder, Context, Configured, automatic names
//	tensor.go         Tensor, Input, Apply
//	values.go         Tensors in a layer of one's own, and arrays: Computer, Context.Tensor, NewArray
//	traced.go         layers traced for the shapes of their outputs
//	errors.go         the errors of a graph of layers: Errors, ConstructionError, IsNil
//	nesting.go        layers that consist of layers: Context.Apply, Composite, Parts
//	calls.go          calls of layers with arguments besides tensors: Called, WithTraining
//	policy.go         dtype policies: SetDTypePolicy, mixed precision
//	declare.go        layers that are declared by the options that they take: the table of their classes, FromConfig
//	settings.go       the table of options that have names in Keras' configs
//	options.go        the other options of layers
//	penalties.go      regularizers and constraints of layers; Context.AddLoss, AddMetric
//	core.go           Dense, Embedding, Activation, Dropout, Rescaling
//	windows.go        windows over one, two or three spatial dimensions, and their options
//	spectrogram.go    STFTSpectrogram
//	mel.go            MelSpectrogram
//	reversible.go     ReversibleEmbedding
//	convolution.go    Conv1D to Conv3D, their transposed forms, DepthwiseConv1D, DepthwiseConv2D, SeparableConv1D, SeparableConv2D
//	pooling.go        MaxPooling, AveragePooling, GlobalMaxPooling, GlobalAveragePooling, 1D to 3D
//	spatial.go        UpSampling, ZeroPadding, Cropping, 1D to 3D
//	adaptive.go       AdaptiveAveragePooling, AdaptiveMaxPooling, 1D to 3D
//	images.go         CenterCrop, Resizing
//	augment.go        the frame of layers that change images while training: random numbers, then a function of images
//	augment_options.go   their options: factors, FillMode, ValueRange
//	augment_geometry.go  RandomFlip, RandomTranslation, RandomZoom, RandomRotation, RandomShear, RandomCrop
//	augment_color.go     RandomContrast, RandomBrightness, RandomHue, RandomSaturation, RandomGrayscale, RandomInvert, RandomPosterization, RandomColorDegeneration, Solarization, AutoContrast
//	augment_distort.go   RandomPerspective, RandomElasticTransform
//	augment_equalize.go  Equalization
//	augment_clahe.go     ContrastLimitedAdaptiveHistogramEqualization
//	augment_augmix.go    AugMix
//	boxes.go             MaxNumBoundingBoxes
//	augment_policy.go    RandomColorJitter, RandAugment: layers that consist of others
//	augment_mix.go       CutMix, MixUp
//	augment_filter.go    RandomSharpness, RandomGaussianBlur, RandomErasing
//	adapting.go       the data that layers adapt to: arrays and datasets
//	standardize.go    Normalization, and Adapt, which takes its numbers from data
//	host.go           HostLayer: layers that run on the host, in models and in datasets; String, the type of texts
//	lookup.go         StringLookup, IntegerLookup
//	lookup_data.go    the data of layers of the host: rows, hashes, encodings; their options
//	vectorize.go      TextVectorization
//	hashing.go        Hashing, HashedCrossing
//	categories.go     CategoryEncoding, Discretization
//	resize.go         resizing of an axis: bilinear, bicubic, lanczos, nearest
//	renorm.go         batch renormalization, an option of BatchNormalization
//	normalization.go  BatchNormalization, LayerNormalization, RMSNormalization
//	spectral.go       SpectralNormalization
//	groups.go         GroupNormalization, UnitNormalization
//	noise.go          SpatialDropout1D to 3D, GaussianNoise, GaussianDropout, AlphaDropout, ActivityRegularization
//	score_attention.go  Attention, AdditiveAttention
//	attention.go      MultiHeadAttention, GroupQueryAttention
//	rnn.go            RNN, the loop over the steps of a sequence; Cell, one step of it
//	rnn_cells.go      SimpleRNNCell, LSTMCell, GRUCell, StackedRNNCells
//	conv_lstm.go      ConvLSTM1D to 3D
//	recurrent.go      SimpleRNN, LSTM, GRU, Bidirectional, TimeDistributed
//	masking.go        masks of sequences, and how they go from layer to layer; Masking
//	reshaping.go      Flatten, Reshape, Permute, RepeatVector
//	merging.go        Add, Subtract, Multiply, Average, Minimum, Maximum, Dot, Concatenate
//	activation.go     ReLU, LeakyReLU, PReLU, ELU, Softmax
//	einsum.go         EinsumDense
//	operation.go      operations on tensors: NewOperation, Operate, x.Add(y) and the other operators
//	operations.go     the table of operations: what keras.ops computes
//	operations_math.go   operations element by element
//	operations_axes.go   operations along axes, and products
//	operations_shape.go  operations that change shapes and join tensors
//	operations_signal.go    Fourier transforms, sequences, distances
//	operations_segments.go  diagonals, sums of segments, sums without NaN
//	operations_arrays.go  what NumPy does with arrays: joins, cuts, grids, diagonals, comparisons; complex numbers
//	operations_bits.go   operations on bits and on whole numbers
//	operations_statistics.go  quantiles, what skips NaN, moments, counts of values
//	operations_linalg.go  factorizations of matrices, and what they solve
//	operations_core.go   operations that take Go functions: loops, maps, gradients of one's own
//	operations_scatter.go  reading and writing at computed places
//	operations_nn.go     convolutions, poolings, normalizations, losses, attention
//	operations_image.go  operations on images
//	operations_patches.go  operations on images that cut, resize, compare and distort them
//	operations_index.go  operations that pick elements: by indices, in sorted order
//	pipeline.go       Pipeline
//	lambda.go         Lambda, Identity
package layers
