package layers

// This file defines the layers that are declared by the options that they take:
// constructors, configs and files follow from one row of the table classes.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/autoname"
	"github.com/gospmd/gospmd/keras/activations"
)

// declared is the part of a layer that follows from its row.
type declared struct {
	Base
	opts  options
	takes []string // names of options
	maker func(declared) Layer
}

// isDeclared reports whether a constructor has made the layer.
func (d *declared) isDeclared() bool { return d.maker != nil }

// class is a row: a class of Keras and how it is made here.
type class struct {
	// takes names the options in the table settings that the layer takes. All take Name
	// and DType too.
	takes    string
	defaults []Option
	make     func(d declared) Layer
}

// declare makes the layer of a class. An error of the options is kept in the layer.
func declare[L Layer](name string, opts ...[]Option) L { return newLayer(name, opts...).(L) }

func newLayer(name string, opts ...[]Option) Layer {
	c := classes[name]
	d := declared{takes: strings.Fields(c.takes), maker: c.make}
	all := append([]Option{}, c.defaults...)
	for _, o := range opts {
		all = append(all, o...)
	}
	d.opts = d.configure(name, all, append([]string{"Name"}, d.takes...)...)
	d.class = name
	return c.make(d)
}

// redeclare returns what makes a layer of a class from the options of d: another one like it, or
// one that d consists of.
func (d *declared) redeclare(class string, takes ...string) declared {
	o := declared{opts: d.opts, takes: d.takes, maker: d.maker}
	o.class, o.name, o.policy, o.place, o.err = class, autoname.Snake(class), d.policy, d.place, d.err
	if len(takes) > 0 {
		o.takes = strings.Fields(strings.Join(takes, " "))
	}
	return o
}

// set returns the option of that name in the table.
func set(name string, value any) Option { return settings.With(name, value) }

// Config returns the options.
func (d *declared) Config() (map[string]any, error) {
	config := settings.Config(&d.opts, d.takes)
	for key, v := range config {
		if _, ok := v.(activations.Func); ok {
			return nil, fmt.Errorf("its %s is a function, which has no name to be saved: give the name of one", key)
		}
	}
	if r, ok := d.opts.limits[activity]; ok {
		config[activity] = r
	}
	return config, nil
}

// activity is the key of the regularizer that all layers take.
const activity = "activity_regularizer"

// FromConfig makes the layer of a class that Keras' get_config describes; known is
// false for a class that is no row of the table. Initializers, regularizers,
// constraints and layers in the config are objects of Go. Options that stand in no
// config, such as Name, are opts.
func FromConfig(name string, config map[string]any, opts ...Option) (l Layer, known bool, err error) {
	c, ok := classes[name]
	if !ok {
		return nil, false, nil
	}
	more, err := settings.Options(config, append(strings.Fields(c.takes), "ActivityRegularizer"))
	if err != nil {
		return nil, true, err
	}
	l = newLayer(name, opts, more)
	return l, true, l.base().err
}

// Classes returns the names of the classes that FromConfig knows.
func Classes() []string { return slices.Sorted(maps.Keys(classes)) }

// Declared reports whether FromConfig knows a class.
func Declared(name string) bool { _, ok := classes[name]; return ok }

// ClassName returns Keras' name of l's class: that of the Go type, unless one type
// stands for several classes.
func ClassName(l Layer) string {
	if name := l.base().class; name != "" {
		return name
	}
	return typeName(l)
}

// classes are the declared layers.
var classes = map[string]class{
	"Conv1D": {takesConv + " Groups", convDefaults, func(d declared) Layer { return newConv(d, 1) }},
	"Conv2D": {takesConv + " Groups", convDefaults, func(d declared) Layer { return newConv(d, 2) }},
	"Conv3D": {takesConv + " Groups", convDefaults, func(d declared) Layer { return newConv(d, 3) }},

	"Conv1DTranspose": {takesConv + " OutputPadding", convDefaults, func(d declared) Layer { return newConvTranspose(d, 1) }},
	"Conv2DTranspose": {takesConv + " OutputPadding", convDefaults, func(d declared) Layer { return newConvTranspose(d, 2) }},
	"Conv3DTranspose": {takesConv + " OutputPadding", convDefaults, func(d declared) Layer { return newConvTranspose(d, 3) }},

	"DepthwiseConv1D": {takesDepthwise, depthwiseDefaults, func(d declared) Layer { return newDepthwiseConv(d, 1) }},
	"DepthwiseConv2D": {takesDepthwise, depthwiseDefaults, func(d declared) Layer { return newDepthwiseConv(d, 2) }},
	"SeparableConv1D": {takesSeparable, separableDefaults, func(d declared) Layer { return newSeparableConv(d, 1) }},
	"SeparableConv2D": {takesSeparable, separableDefaults, func(d declared) Layer { return newSeparableConv(d, 2) }},

	"MaxPooling1D":     {takesPooling, nil, func(d declared) Layer { return newPooling(d, 1, maxOfWindow) }},
	"MaxPooling2D":     {takesPooling, nil, func(d declared) Layer { return newPooling(d, 2, maxOfWindow) }},
	"MaxPooling3D":     {takesPooling, nil, func(d declared) Layer { return newPooling(d, 3, maxOfWindow) }},
	"AveragePooling1D": {takesPooling, nil, func(d declared) Layer { return newPooling(d, 1, meanOfWindow) }},
	"AveragePooling2D": {takesPooling, nil, func(d declared) Layer { return newPooling(d, 2, meanOfWindow) }},
	"AveragePooling3D": {takesPooling, nil, func(d declared) Layer { return newPooling(d, 3, meanOfWindow) }},

	"GlobalMaxPooling1D":     {takesGlobal, nil, func(d declared) Layer { return newGlobalPooling(d, 1, maxOfAll) }},
	"GlobalMaxPooling2D":     {takesGlobal, nil, func(d declared) Layer { return newGlobalPooling(d, 2, maxOfAll) }},
	"GlobalMaxPooling3D":     {takesGlobal, nil, func(d declared) Layer { return newGlobalPooling(d, 3, maxOfAll) }},
	"GlobalAveragePooling1D": {takesGlobal, nil, func(d declared) Layer { return newGlobalPooling(d, 1, meanOfAll) }},
	"GlobalAveragePooling2D": {takesGlobal, nil, func(d declared) Layer { return newGlobalPooling(d, 2, meanOfAll) }},
	"GlobalAveragePooling3D": {takesGlobal, nil, func(d declared) Layer { return newGlobalPooling(d, 3, meanOfAll) }},

	"AdaptiveAveragePooling1D": {takesAdaptive, nil, func(d declared) Layer { return newAdaptivePooling(d, 1, adaptiveMean) }},
	"AdaptiveAveragePooling2D": {takesAdaptive, nil, func(d declared) Layer { return newAdaptivePooling(d, 2, adaptiveMean) }},
	"AdaptiveAveragePooling3D": {takesAdaptive, nil, func(d declared) Layer { return newAdaptivePooling(d, 3, adaptiveMean) }},
	"AdaptiveMaxPooling1D":     {takesAdaptive, nil, func(d declared) Layer { return newAdaptivePooling(d, 1, adaptiveMax) }},
	"AdaptiveMaxPooling2D":     {takesAdaptive, nil, func(d declared) Layer { return newAdaptivePooling(d, 2, adaptiveMax) }},
	"AdaptiveMaxPooling3D":     {takesAdaptive, nil, func(d declared) Layer { return newAdaptivePooling(d, 3, adaptiveMax) }},

	"CenterCrop": {"Height Width DataFormat", nil, func(d declared) Layer { return &CenterCropLayer{d} }},
	"Resizing":   {takesResizing, []Option{Interpolation("bilinear"), set("ConstantFill", "constant")}, func(d declared) Layer { return newResizing(d) }},

	"RandomFlip":        {"Mode Seed DataFormat", nil, func(d declared) Layer { return newAugmentation(d, randomFlip) }},
	"RandomRotation":    {"SignedFactor " + takesWarp, warpDefaults, func(d declared) Layer { return newWarp(d, randomRotation) }},
	"RandomTranslation": {"HeightFactor WidthFactor " + takesWarp, warpDefaults, func(d declared) Layer { return newWarp(d, randomTranslation) }},
	"RandomZoom":        {"HeightFactor WidthFactor " + takesWarp, warpDefaults, func(d declared) Layer { return newWarp(d, randomZoom) }},
	"RandomShear":       {"XFactor YFactor " + takesWarp, shearDefaults, func(d declared) Layer { return newWarp(d, randomShear) }},
	"RandomCrop":        {"Height Width Seed DataFormat", nil, func(d declared) Layer { return newAugmentation(d, randomCrop) }},

	"RandomPerspective":      {"Factor CornerScale Interpolation FillValue Seed DataFormat", perspectiveDefaults, func(d declared) Layer { return newWarp(d, randomPerspective) }},
	"RandomElasticTransform": {"Factor Distortion ValueRange " + takesWarp, elasticDefaults, func(d declared) Layer { return newWarp(d, randomElasticTransform) }},

	"AutoContrast":            {"ValueRange DataFormat", nil, func(d declared) Layer { return newAugmentation(d, autoContrast) }},
	"RandomBrightness":        {"SignedFactor " + takesColors, nil, func(d declared) Layer { return newAugmentation(d, randomBrightness) }},
	"RandomColorDegeneration": {"SignedFactor " + takesColors, nil, func(d declared) Layer { return newAugmentation(d, randomColorDegeneration) }},
	"RandomContrast":          {"Factor " + takesColors, nil, func(d declared) Layer { return newAugmentation(d, randomContrast) }},
	"RandomGrayscale":         {"Probability Seed DataFormat", nil, func(d declared) Layer { return newAugmentation(d, randomGrayscale) }},
	"RandomHue":               {"Factor " + takesColors, nil, func(d declared) Layer { return newAugmentation(d, randomHue) }},
	"RandomInvert":            {"Factor " + takesColors, nil, func(d declared) Layer { return newAugmentation(d, randomInvert) }},
	"RandomPosterization":     {"Bits " + takesColors, nil, func(d declared) Layer { return newAugmentation(d, randomPosterization) }},
	"RandomSaturation":        {"SignedFactor " + takesColors, nil, func(d declared) Layer { return newAugmentation(d, randomSaturation) }},
	"Solarization":            {"AdditionFactor ThresholdFactor " + takesColors, solarDefaults, func(d declared) Layer { return newAugmentation(d, solarization) }},

	"CutMix": {"Factor Seed DataFormat", []Option{set("Factor", 1.0)}, func(d declared) Layer { return newMix(d, drawCutMix, false) }},
	"MixUp":  {"MixAlpha Seed DataFormat", []Option{set("MixAlpha", 0.2)}, func(d declared) Layer { return newMix(d, drawMixUp, true) }},

	"AugMix": {"NumChains ChainDepth Factor MixAlpha AllOps ValueRange Interpolation Seed DataFormat",
		[]Option{NumChains(3), ChainDepth(3), StrengthFactor(0.3), MixAlpha(1), AllOps(true), Interpolation("bilinear")}, func(d declared) Layer { return newAugMix(d) }},
	"ContrastLimitedAdaptiveHistogramEqualization": {"ValueRange ClipLimit TileGridSize DataFormat", []Option{ClipLimit(4), TileGridSize(8, 8)},
		func(d declared) Layer { return newAugmentation(d, contrastLimited) }},
	"MaxNumBoundingBoxes": {"MaxNumber BoxFill DataFormat BoundingBoxFormat", []Option{BoxFill(-1)}, func(d declared) Layer { return &MaxNumBoundingBoxesLayer{d} }},
	"RandAugment":         {"ValueRange NumOps Factor Interpolation Seed DataFormat", []Option{NumOps(2), set("Factor", 0.5), Interpolation("bilinear")}, func(d declared) Layer { return newRandAugment(d) }},
	"RandomColorJitter":   {"BrightnessFactor ContrastFactor SaturationFactor HueFactor " + takesColors, nil, func(d declared) Layer { return newJitter(d) }},

	"Equalization":       {"ValueRange Bins DataFormat", []Option{Bins(256)}, func(d declared) Layer { return newAugmentation(d, equalization) }},
	"RandomErasing":      {"Factor ErasedArea EraseWith " + takesColors, []Option{ErasedArea([2]float64{0.02, 0.33})}, func(d declared) Layer { return newAugmentation(d, randomErasing) }},
	"RandomGaussianBlur": {"Factor BlurSize Sigma " + takesColors, []Option{BlurSize(3), Sigma(1.0)}, func(d declared) Layer { return newBlur(d) }},
	"RandomSharpness":    {"Factor " + takesColors, nil, func(d declared) Layer { return newAugmentation(d, randomSharpness) }},

	"STFTSpectrogram": {"SpectrogramMode FrameLength FrameStep FFTLength Window Periodic Scaling Padding ExpandDims DataFormat",
		[]Option{SpectrogramMode("log"), FrameLength(256), Window("hann"), Scaling("density")}, func(d declared) Layer { return newSTFT(d) }},
	"MelSpectrogram": {"FFTLength SequenceStride SequenceLength Window SamplingRate NumMelBins MinFreq MaxFreq PowerToDB TopDB MagExp MinPower RefPower",
		[]Option{FFTLength(2048), SequenceStride(512), Window("hann"), SamplingRate(16000), NumMelBins(128), MinFreq(20), PowerToDB(true), TopDB(80), MagExp(2), MinPower(1e-10), RefPower(1)},
		func(d declared) Layer { return newMel(d) }},

	"CategoryEncoding": {"NumTokens Encoding", []Option{set("Encoding", "multi_hot")}, func(d declared) Layer { return &CategoryEncodingLayer{d} }},
	"Discretization":   {takesBins, []Option{set("BinEncoding", "int"), SummaryError(0.01)}, func(d declared) Layer { return newDiscretization(d) }},
	"Normalization":    {"Axis Mean Variance Invert", nil, func(d declared) Layer { return newNormalization(d) }},

	"StringLookup": {takesLookup + " TextEncoding", append(slices.Clone(lookupDefaults), OOVToken("[UNK]"), set("TextEncoding", "utf-8")),
		func(d declared) Layer { return &StringLookupLayer{newLookup[string](d)} }},
	"IntegerLookup": {takesLookup + " VocabularyDType", append(slices.Clone(lookupDefaults), OOVToken(-1), set("VocabularyDType", "int64")),
		func(d declared) Layer { return &IntegerLookupLayer{newLookup[int64](d)} }},
	"TextVectorization": {"MaxTokens Standardize Split NGrams LookupMode OutputSequenceLength PadToMaxTokens Vocabulary IDFWeights VocabularySize TextEncoding",
		[]Option{set("LookupMode", "int"), set("TextEncoding", "utf-8"), Standardize("lower_and_strip_punctuation"), Split("whitespace")},
		func(d declared) Layer { return newTextVectorization(d) }},
	"Hashing":        {"HashBins HashMask Salt HashMode", []Option{HashMode("int")}, func(d declared) Layer { return &HashingLayer{onHost{d}} }},
	"HashedCrossing": {"HashBins HashMode", []Option{HashMode("int")}, func(d declared) Layer { return &HashedCrossingLayer{onHost{d}} }},

	"Add":      {"", nil, func(d declared) Layer { return &MergeLayer{declared: d, combine: graph.Add} }},
	"Average":  {"", nil, func(d declared) Layer { return &MergeLayer{declared: d, combine: graph.Add, mean: true} }},
	"Maximum":  {"", nil, func(d declared) Layer { return &MergeLayer{declared: d, combine: greater} }},
	"Minimum":  {"", nil, func(d declared) Layer { return &MergeLayer{declared: d, combine: smaller} }},
	"Multiply": {"", nil, func(d declared) Layer { return &MergeLayer{declared: d, combine: graph.Mul} }},
	"Subtract": {"", nil, func(d declared) Layer { return &MergeLayer{declared: d, combine: graph.Sub} }},
	"Dot":      {"Axes Normalize", nil, func(d declared) Layer { return &DotLayer{d} }},

	"ELU":       {"Alpha", []Option{Alpha(1)}, func(d declared) Layer { return &ElementwiseLayer{declared: d, of: elu} }},
	"LeakyReLU": {"NegativeSlope", []Option{NegativeSlope(0.3)}, func(d declared) Layer { return &ElementwiseLayer{declared: d, of: leaky} }},
	"ReLU":      {"MaxValue NegativeSlope Threshold", nil, func(d declared) Layer { return &ElementwiseLayer{declared: d, of: relu} }},
	"PReLU": {"AlphaInitializer AlphaRegularizer AlphaConstraint SharedAxes", []Option{AlphaInitializer("zeros")},
		func(d declared) Layer { return &PReLULayer{declared: d} }},
	"Softmax": {"Axis", nil, func(d declared) Layer { return &SoftmaxLayer{declared: d} }},

	"GroupNormalization": {takesGroups, groupsDefaults, func(d declared) Layer { return &GroupNormalizationLayer{declared: d} }},
	"UnitNormalization":  {"Axis", nil, func(d declared) Layer { return &UnitNormalizationLayer{d} }},

	"ActivityRegularization": {"L1 L2", nil, func(d declared) Layer { return newActivityRegularization(d) }},
	"AlphaDropout":           {"Rate Seed NoiseShape", nil, func(d declared) Layer { return newNoise(d, 0, alphaDropout) }},
	"GaussianDropout":        {"Rate Seed", nil, func(d declared) Layer { return newNoise(d, 0, gaussianDropout) }},
	"GaussianNoise":          {"Stddev Seed", nil, func(d declared) Layer { return newNoise(d, 0, addNoise) }},
	"SpatialDropout1D":       {"Rate Seed", nil, func(d declared) Layer { return newNoise(d, 1, dropChannels) }},
	"SpatialDropout2D":       {"Rate Seed DataFormat", nil, func(d declared) Layer { return newNoise(d, 2, dropChannels) }},
	"SpatialDropout3D":       {"Rate Seed DataFormat", nil, func(d declared) Layer { return newNoise(d, 3, dropChannels) }},

	"AdditiveAttention": {"UseScale DropoutRate Seed UseCausalMask", []Option{UseScale(true)}, func(d declared) Layer { return newAttention(d, true) }},
	"Attention":         {"UseScale ScoreMode DropoutRate Seed UseCausalMask", []Option{ScoreMode("dot")}, func(d declared) Layer { return newAttention(d, false) }},

	"BatchNormalization": {takesBatch, batchDefaults, func(d declared) Layer { return newBatchNormalization(d) }},
	"LayerNormalization": {takesLayerNorm, []Option{Epsilon(1e-3), BetaInitializer("zeros"), GammaInitializer("ones")},
		func(d declared) Layer { return newLayerNormalization(d) }},
	"RMSNormalization": {"Axis Epsilon", []Option{Epsilon(1e-6)}, func(d declared) Layer { return &RMSNormalizationLayer{declared: d} }},

	"Activation": {"Activation", nil, func(d declared) Layer { return &ActivationLayer{declared: d} }},
	"Dense": {takesDense, denseDefaults,
		func(d declared) Layer { return &DenseLayer{declared: d, Units: d.opts.units} }},
	"Dropout": {"Rate Seed NoiseShape", nil, func(d declared) Layer { return newDropout(d) }},
	"Embedding": {takesEmbedding, []Option{EmbeddingsInitializer("uniform")},
		func(d declared) Layer {
			return &EmbeddingLayer{declared: d, InputDim: d.opts.inputDim, OutputDim: d.opts.outputDim}
		}},
	"ReversibleEmbedding": {takesEmbedding + " TieWeights ReverseDType LogitSoftCap", []Option{EmbeddingsInitializer("uniform"), TieWeights(true)},
		func(d declared) Layer {
			return &ReversibleEmbeddingLayer{EmbeddingLayer: EmbeddingLayer{declared: d, InputDim: d.opts.inputDim, OutputDim: d.opts.outputDim}}
		}},
	"Masking":   {"MaskValue", nil, func(d declared) Layer { return &MaskingLayer{d, d.opts.maskValue} }},
	"Rescaling": {"ScaleBy Offset", []Option{Offset(0)}, func(d declared) Layer { return &RescalingLayer{declared: d} }},

	"MultiHeadAttention": {"NumHeads KeyDim ValueDim OutputShape AttentionAxes " + takesProjected, denseDefaults,
		func(d declared) Layer { return newMultiHeadAttention(d) }},
	"GroupQueryAttention": {"HeadDim NumQueryHeads NumKeyValueHeads " + takesProjected, denseDefaults,
		func(d declared) Layer { return newGroupQueryAttention(d) }},

	"SimpleRNNCell": {takesCell, cellDefaults, func(d declared) Layer { return &SimpleRNNCellLayer{newGatedCell(d, 1)} }},
	"LSTMCell":      {takesLSTMCell, lstmDefaults, func(d declared) Layer { return &LSTMCellLayer{newGatedCell(d, 4)} }},
	"GRUCell":       {takesGRUCell, gruDefaults, func(d declared) Layer { return &GRUCellLayer{newGatedCell(d, 3)} }},
	"SimpleRNN": {takesCell + takesLoop, cellDefaults, func(d declared) Layer {
		return &SimpleRNNLayer{newRNN(d, &SimpleRNNCellLayer{newGatedCell(d.redeclare("SimpleRNNCell", takesCell), 1)})}
	}},
	"LSTM": {takesLSTMCell + takesLoop, lstmDefaults, func(d declared) Layer {
		return &LSTMLayer{newRNN(d, &LSTMCellLayer{newGatedCell(d.redeclare("LSTMCell", takesLSTMCell), 4)})}
	}},
	"GRU": {takesGRUCell + takesLoop, gruDefaults, func(d declared) Layer {
		return &GRULayer{newRNN(d, &GRUCellLayer{newGatedCell(d.redeclare("GRUCell", takesGRUCell), 3)})}
	}},
	"ConvLSTM1D":            {takesConvLSTM, convLSTMDefaults, func(d declared) Layer { return newConvLSTM(d, 1) }},
	"ConvLSTM2D":            {takesConvLSTM, convLSTMDefaults, func(d declared) Layer { return newConvLSTM(d, 2) }},
	"ConvLSTM3D":            {takesConvLSTM, convLSTMDefaults, func(d declared) Layer { return newConvLSTM(d, 3) }},
	"RNN":                   {"Cell" + takesLoop, nil, func(d declared) Layer { return newCustomRNN(d) }},
	"StackedRNNCells":       {"Cells", nil, func(d declared) Layer { return newStackedRNNCells(d) }},
	"Bidirectional":         {"Layer BackwardLayer MergeMode", []Option{MergeMode("concat")}, func(d declared) Layer { return newBidirectional(d) }},
	"Pipeline":              {"Layers", nil, func(d declared) Layer { return newPipeline(d) }},
	"SpectralNormalization": {"Layer PowerIterations", []Option{PowerIterations(1)}, func(d declared) Layer { return newSpectralNormalization(d) }},
	"TimeDistributed":       {"Layer", nil, func(d declared) Layer { return newTimeDistributed(d) }},

	"Concatenate": {"Axis", nil, func(d declared) Layer { return newConcatenate(d) }},
	"Flatten":     {"DataFormat", nil, func(d declared) Layer { return &FlattenLayer{d} }},
	"Permute":     {"Dims", nil, func(d declared) Layer { return newPermute(d) }},
	"Reshape":     {"TargetShape", nil, func(d declared) Layer { return newReshape(d) }},

	"EinsumDense":  {takesEinsum, denseDefaults, func(d declared) Layer { return &EinsumDenseLayer{declared: d} }},
	"Identity":     {"", nil, func(d declared) Layer { return &IdentityLayer{declared: d} }},
	"RepeatVector": {"Times", nil, func(d declared) Layer { return &RepeatVectorLayer{d} }},

	"UpSampling1D": {"Size", nil, func(d declared) Layer { return newUpSampling(d, 1) }},
	"UpSampling2D": {"Size DataFormat Interpolation", nil, func(d declared) Layer { return newUpSampling(d, 2) }},
	"UpSampling3D": {"Size DataFormat", nil, func(d declared) Layer { return newUpSampling(d, 3) }},

	"ZeroPadding1D": {"ZeroPadding DataFormat", nil, func(d declared) Layer { return newZeroPadding(d, 1) }},
	"ZeroPadding2D": {"ZeroPadding DataFormat", nil, func(d declared) Layer { return newZeroPadding(d, 2) }},
	"ZeroPadding3D": {"ZeroPadding DataFormat", nil, func(d declared) Layer { return newZeroPadding(d, 3) }},
	"Cropping1D":    {"Cropping", nil, func(d declared) Layer { return newCropping(d, 1) }},
	"Cropping2D":    {"Cropping DataFormat", nil, func(d declared) Layer { return newCropping(d, 2) }},
	"Cropping3D":    {"Cropping DataFormat", nil, func(d declared) Layer { return newCropping(d, 3) }},
}

// The options of families of layers.
const (
	takesWindow    = "Strides Padding DataFormat DilationRate Activation UseBias BiasInitializer BiasRegularizer ActivityRegularizer BiasConstraint"
	takesConv      = "Filters KernelSize KernelInitializer KernelRegularizer KernelConstraint " + takesWindow
	takesDepthwise = "KernelSize DepthMultiplier DepthwiseInitializer DepthwiseRegularizer DepthwiseConstraint " + takesWindow
	takesSeparable = "Filters PointwiseInitializer PointwiseRegularizer PointwiseConstraint " + takesDepthwise
	takesPooling   = "PoolSize Strides Padding DataFormat"
	takesEinsum    = "Equation OutputShape Activation BiasAxes KernelInitializer BiasInitializer KernelRegularizer BiasRegularizer ActivityRegularizer KernelConstraint BiasConstraint"
	takesGroups    = "Groups " + takesLayerNorm
	takesAdaptive  = "OutputSize DataFormat"
	takesResizing  = "Height Width Interpolation CropToAspectRatio PadToAspectRatio ConstantFill FillValue Antialias DataFormat"
	takesLayerNorm = "Axis Epsilon Center Scale BetaInitializer GammaInitializer BetaRegularizer GammaRegularizer BetaConstraint GammaConstraint"
	takesBatch     = takesLayerNorm + " Momentum MovingMeanInitializer MovingVarianceInitializer Renorm RenormMomentum RenormClipping Synchronized"
	takesWeights   = "UseBias KernelInitializer BiasInitializer KernelRegularizer BiasRegularizer ActivityRegularizer KernelConstraint BiasConstraint"
	takesDense     = "Units Activation " + takesWeights
	takesEmbedding = "InputDim OutputDim EmbeddingsInitializer EmbeddingsRegularizer EmbeddingsConstraint ActivityRegularizer MaskZero"
	takesProjected = "DropoutRate Seed UseCausalMask SlidingWindow UseGate " + takesWeights
	takesCell      = "Units " + takesGates
	takesGates     = "Activation UseBias KernelInitializer RecurrentInitializer BiasInitializer KernelRegularizer RecurrentRegularizer BiasRegularizer KernelConstraint RecurrentConstraint BiasConstraint DropoutRate RecurrentDropout Seed"
	takesLSTMCell  = takesCell + " RecurrentActivation UnitForgetBias"
	takesGRUCell   = takesCell + " RecurrentActivation ResetAfter"
	takesLoop      = " ReturnSequences ReturnState GoBackwards Stateful Unroll ZeroOutputForMask"
	takesLookup    = "MaxTokens OOVIndices MaskToken OOVToken Vocabulary VocabularySize IDFWeights Invert LookupMode PadToMaxTokens OOVMethod Salt"
	takesBins      = "BinBoundaries NumBins SummaryError BinEncoding"
	takesWarp      = "FillMode Interpolation FillValue Seed DataFormat"
	takesColors    = "ValueRange Seed DataFormat"
	takesGlobal    = "DataFormat KeepDims"

	takesConvLSTM     = takesConvLSTMCell + takesLoop
	takesConvLSTMCell = "Filters KernelSize Strides Padding DataFormat DilationRate RecurrentActivation UnitForgetBias " + takesGates
)

var (
	convDefaults        = []Option{Strides(1), KernelInitializer("glorot_uniform"), BiasInitializer("zeros")}
	depthwiseDefaults   = []Option{Strides(1), DepthwiseInitializer("glorot_uniform"), BiasInitializer("zeros")}
	groupsDefaults      = []Option{Groups(32), Epsilon(1e-3), BetaInitializer("zeros"), GammaInitializer("ones")}
	warpDefaults        = []Option{set("FillMode", "reflect"), Interpolation("bilinear")}
	perspectiveDefaults = []Option{CornerScale(1), Interpolation("bilinear")}
	elasticDefaults     = append([]Option{Distortion(1.0)}, warpDefaults...)
	shearDefaults       = append([]Option{XFactor(0.0), YFactor(0.0)}, warpDefaults...)
	solarDefaults       = []Option{AdditionFactor(0.0), ThresholdFactor(0.0)}
	separableDefaults   = append([]Option{PointwiseInitializer("glorot_uniform")}, depthwiseDefaults...)
	denseDefaults       = []Option{KernelInitializer("glorot_uniform"), BiasInitializer("zeros")}
	batchDefaults       = []Option{Momentum(0.99), Epsilon(1e-3), BetaInitializer("zeros"), GammaInitializer("ones"), MovingMeanInitializer("zeros"), MovingVarianceInitializer("ones")}
	cellDefaults        = []Option{Activation("tanh"), KernelInitializer("glorot_uniform"), RecurrentInitializer("orthogonal"), BiasInitializer("zeros")}
	lstmDefaults        = append(slices.Clone(cellDefaults), RecurrentActivation("sigmoid"), UnitForgetBias(true))
	gruDefaults         = append(slices.Clone(cellDefaults), RecurrentActivation("sigmoid"), ResetAfter(true))
	convLSTMDefaults    = append(slices.Clone(lstmDefaults), Strides(1))
	lookupDefaults      = []Option{set("LookupMode", "int"), set("OOVMethod", "floormod"), OOVIndices(1)}
)
