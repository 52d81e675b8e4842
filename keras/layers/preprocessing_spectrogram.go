package layers

// This file defines the spectrograms STFTSpectrogram, whose kernels are weights, and
// MelSpectrogram; and their options.

import (
	"math"
	"reflect"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/layers/internal/signals"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
)

// signalClasses has the spectrograms: by the name of the class in Keras, how a layer is made of its
// options.
var signalClasses = map[string]class{
	"MelSpectrogram":  classOf(newMel),
	"STFTSpectrogram": classOf(newSTFT),
}

// stftOptions holds the options of STFTSpectrogram: what it returns, the length and the distance of
// frames in steps, the length of the transform, the window and its scaling, Padding, ExpandDims and
// DataFormat.
type stftOptions struct {
	SpectrogramMode string          `option:"mode" default:"log" oneof:"log magnitude psd real imag angle stft"`
	FrameLength     int             `option:"frame_length" default:"256" want:"size"`
	FrameStep       *int            `option:"frame_step" want:"size"`
	FFTLength       *int            `option:"fft_length" want:"size"`
	Window          signals.Factors `option:"window" default:"hann"`
	Periodic        bool            `option:"periodic"`
	Scaling         optional        `option:"scaling" default:"density" oneof:"density spectrum"`
	Padding         string          `option:"padding" default:"valid"`
	ExpandDims      bool            `option:"expand_dims"`
	lastFormatOptions
}

// melOptions holds the options of MelSpectrogram: the length of the transform, the distance and the
// window of frames in steps, the sampling rate, the number and the limits of the bands, the power
// of magnitudes, and those of decibels.
type melOptions struct {
	FFTLength      *int            `option:"fft_length" default:"2048" want:"size"`
	SequenceStride int             `option:"sequence_stride" default:"512" want:"size"`
	SequenceLength *int            `option:"sequence_length" want:"size"`
	Window         signals.Factors `option:"window" default:"hann"`
	SamplingRate   int             `option:"sampling_rate" default:"16000" want:"size"`
	NumMelBins     int             `option:"num_mel_bins" default:"128" want:"size"`
	MinFreq        float64         `option:"min_freq" default:"20" want:"notNegative"`
	MaxFreq        *float64        `option:"max_freq" want:"positive"`
	PowerToDB      bool            `option:"power_to_db" default:"true"`
	TopDB          float64         `option:"top_db" default:"80" want:"notNegative"`
	MagExp         float64         `option:"mag_exp" default:"2" want:"positive"`
	MinPower       float64         `option:"min_power" default:"1e-10" want:"positive"`
	RefPower       float64         `option:"ref_power" default:"1"`
}

// STFTSpectrogramLayer computes spectrograms of signals, [batch, time, channels], by the short-time
// Fourier transform of each channel: keras.layers.STFTSpectrogram. By default the result is [batch,
// frames, channels · frequencies], logarithms of magnitudes. See SpectrogramMode and ExpandDims.
type STFTSpectrogramLayer struct {
	declared
	opts   *stftOptions
	window nodes.Window
	// [frame length, 1, frequencies]; nil where the mode needs none
	RealKernel, ImagKernel *variable.Variable
	step, bins             int
}

// STFTSpectrogram returns a layer that computes the short-time Fourier transform of signals
// (batch, time, channels), each channel alone: (batch, frames, channels · frequencies), by
// convolutions whose kernels can be trained. Options: Name, SpectrogramMode ("log" by default,
// "magnitude", "psd", "real", "imag", "angle", "stft"), FrameLength (256), FrameStep, FFTLength,
// Window ("hann"), Periodic, Scaling ("density"), Padding, ExpandDims, DataFormat, DType.
func STFTSpectrogram(opts ...Option) *STFTSpectrogramLayer {
	return declare[*STFTSpectrogramLayer]("STFTSpectrogram", opts)
}

// SpectrogramMode sets what an STFTSpectrogram returns of the transform: "log" of the magnitude
// (the default), "magnitude", "psd" (power density), "real", "imag", "angle", or "stft", both
// parts. Others are errors.
func SpectrogramMode(mode string) Option { return set("SpectrogramMode", mode) }

// FrameLength sets how many steps a frame of an STFTSpectrogram has: 256 by default. A number below
// 1 is an error.
func FrameLength(n int) Option { return set("FrameLength", n) }

// FrameStep sets the distance between the starts of an STFTSpectrogram's frames in steps: by
// default half of their length. A number below 1 or above their length is an error.
func FrameStep(n int) Option { return set("FrameStep", n) }

// FFTLength sets the length of the transform, which determines the number of frequencies. It must
// not be below the length of a frame. By default it is the smallest power of two that is not, for
// STFTSpectrogram, and 2048 for MelSpectrogram.
func FFTLength(n int) Option { return set("FFTLength", n) }

// Window sets the factors of the frames: the name of a window of scipy.signal, such as "hann", the
// default, or "hamming"; numbers as []float64, one for each step of a frame; or nil for none. Of
// the names, MelSpectrogram takes only these two. Others are errors.
func Window(window any) Option { return set("Window", window) }

// Periodic makes STFTSpectrogram use a periodic window, which continues in the next period, instead
// of a symmetric one.
func Periodic() Option { return set("Periodic", true) }

// Scaling sets by how much STFTSpectrogram divides its window: "density", the default, by its norm,
// "spectrum" by its sum, or "" by nothing. Others are errors.
func Scaling(kind string) Option {
	if kind == "" {
		return set("Scaling", nil)
	}
	return set("Scaling", kind)
}

// ExpandDims gives the result of STFTSpectrogram the shape of an image: (batch, frames,
// frequencies, channels). By default it is (batch, frames, channels · frequencies).
func ExpandDims() Option { return set("ExpandDims", true) }

func newSTFT(d declared, o *stftOptions) Layer {
	l := &STFTSpectrogramLayer{declared: d, opts: o, step: max(1, o.FrameLength/2), bins: 1}
	if o.FrameStep != nil {
		l.step = *o.FrameStep
	}
	for 2*(l.bins-1) < o.FrameLength { // the power of two
		l.bins = max(2, 2*l.bins-1)
	}
	if o.FrameLength == 1 {
		l.bins = 1
	}
	if o.FFTLength != nil {
		l.bins = *o.FFTLength/2 + 1
		if *o.FFTLength < o.FrameLength {
			l.fail("STFTSpectrogram: FFTLength: got %d, want at least the length of a frame, %d", *o.FFTLength, o.FrameLength)
		}
	}
	if l.step > o.FrameLength {
		l.fail("STFTSpectrogram: FrameStep: got %d, want at most the length of a frame, %d", l.step, o.FrameLength)
	}
	l.window = nodes.Window{Size: []int{o.FrameLength}, Strides: []int{l.step}, Dilation: []int{1}, Pad: o.Padding}
	toRank(&l.Base, &l.window, 1, false)
	return l
}

// Build makes the kernels of the real and the imaginary parts; SpectrogramMode needs one or both of
// them. A signal that is shorter than a frame, and a window of another length than a frame, are
// errors.
func (l *STFTSpectrogramLayer) Build(b *Builder, inputs []Spec) error {
	if err := checkWindow(l.window, inputs); err != nil {
		return err
	}
	o := l.opts
	window, err := o.Window.Of(o.FrameLength, o.Periodic)
	if err != nil {
		return err
	}
	kernel := stftKernel{window: window, scaling: string(o.Scaling)}
	shape := []int{o.FrameLength, 1, l.bins}
	if o.SpectrogramMode != "imag" {
		kernel.wave = math.Cos
		if l.RealKernel, err = b.AddWeight("real_kernel", shape, l.DType(), kernel); err != nil {
			return err
		}
	}
	if o.SpectrogramMode != "real" {
		kernel.wave = math.Sin
		l.ImagKernel, err = b.AddWeight("imag_kernel", shape, l.DType(), kernel)
	}
	return err
}

// stftKernel is an initializer that fills a kernel with waves, sines or cosines, of all
// frequencies: keras.initializers.STFT.
type stftKernel struct {
	wave    func(float64) float64
	window  []float64 // nil for ones
	scaling string
}

// Fill writes to dst the part of the kernel that ranges select: waves of all frequencies times the
// window, divided by the norm of k.scaling. Angles are float32 numbers, as in Keras.
func (k stftKernel) Fill(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error {
	norm := 0.0
	for _, w := range k.window {
		if k.scaling == "density" {
			norm += w * w
		} else {
			norm += math.Abs(w)
		}
	}
	switch {
	case k.window == nil || k.scaling == "":
		norm = 1
	case k.scaling == "density":
		norm = math.Sqrt(norm)
	}
	out, i := reflect.ValueOf(dst), 0
	for t := ranges[0].Start; t < ranges[0].Limit; t++ {
		for range ranges[1].Len() {
			for f := ranges[2].Start; f < ranges[2].Limit; f++ {
				frequency := float32(f) / float32(max(1, 2*(global[2]-1)))
				v := k.wave(float64(-2 * float32(t) * frequency * math.Pi))
				if k.window != nil {
					v *= k.window[t]
				}
				out.Index(i).Set(reflect.ValueOf(shapes.CastAsDType(v/norm, dtype)))
				i++
			}
		}
	}
	return nil
}

// Call returns the spectrogram of the input, a batch of sounds [batch, steps, channels], in the
// mode of the options: its magnitude, the logarithm of that, power density, angle, real or
// imaginary part, or the last two together. It is [batch, frames, channels · frequencies] or, with
// ExpandDims, [batch, frames, frequencies, channels]; both parts are twice as many frequencies.
func (l *STFTSpectrogramLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	var re, im *graph.Node // [batch, channels, frames, frequencies]
	if l.RealKernel != nil {
		re = l.convolve(x, c.Value(l.RealKernel))
	}
	if l.ImagKernel != nil {
		im = l.convolve(x, c.Value(l.ImagKernel))
	}
	const least = 1e-7
	switch l.opts.SpectrogramMode {
	case "real":
		return l.arrange(re)
	case "imag":
		return l.arrange(im)
	case "angle":
		return l.arrange(graph.Atan2(im, re))
	case "stft":
		return l.arrange(graph.Concatenate([]*graph.Node{re, im}, 3))
	}
	power := graph.Add(graph.Square(re), graph.Square(im))
	if l.opts.SpectrogramMode == "psd" {
		return l.arrange(graph.Add(power, betweenEnds(power)))
	}
	y := graph.Sqrt(nodes.Greater(power, nodes.Like(power, least)))
	if l.opts.SpectrogramMode == "log" {
		y = graph.Log(nodes.Greater(y, nodes.Like(y, least)))
	}
	return l.arrange(y)
}

// convolve returns the real or the imaginary part of the transform of each channel of x, by a
// convolution with kernel: [batch, channels, frames, frequencies].
func (l *STFTSpectrogramLayer) convolve(x, kernel *graph.Node) *graph.Node {
	dims := x.Shape().Dimensions
	x = graph.Reshape(graph.Transpose(x, 1, 2), dims[0]*dims[2], dims[1], 1)
	y := l.window.Convolve(x, kernel, 1)
	return graph.Reshape(y, dims[0], dims[2], y.Shape().Dimensions[1], l.bins)
}

// betweenEnds returns x, [batch, channels, frames, frequencies], with zeros for the first and the
// last frequency.
func betweenEnds(x *graph.Node) *graph.Node {
	n := x.Shape().Dimensions[3]
	at := graph.Iota(x.Graph(), shapes.Make(dtypes.Int32, x.Shape().Dimensions...), 3)
	ends := graph.LogicalOr(graph.Equal(at, nodes.Like(at, 0)), graph.Equal(at, nodes.Like(at, float64(n-1))))
	return graph.Where(ends, graph.ZerosLike(x), x)
}

// arrange returns the output of the layer for x [batch, channels, frames, frequencies]: (batch,
// frames, channels·frequencies) or, with ExpandDims, (batch, frames, frequencies, channels).
func (l *STFTSpectrogramLayer) arrange(x *graph.Node) []*graph.Node {
	if l.opts.ExpandDims {
		return []*graph.Node{graph.TransposeAllAxes(x, 0, 2, 3, 1)}
	}
	dims := x.Shape().Dimensions
	return []*graph.Node{graph.Reshape(graph.TransposeAllAxes(x, 0, 2, 1, 3), dims[0], dims[2], dims[1]*dims[3])}
}

// MelSpectrogramLayer computes the power of signals in frequency bands that are evenly spaced for
// the ear (mel scale): keras.layers.MelSpectrogram.
type MelSpectrogramLayer struct {
	declared
	opts *melOptions
}

// MelSpectrogram returns a layer that makes of signals (batch, time) their spectrograms on the mel
// scale, (batch, bands, frames), in decibels. Options: Name, FFTLength (2048), SequenceStride
// (512), SequenceLength (FFTLength), Window ("hann"), SamplingRate (16000), NumMelBins (128),
// MinFreq (20), MaxFreq (half of the sampling rate), PowerToDB (on), TopDB (80), MagExp (2),
// MinPower (1e-10), RefPower (1), DType.
//
// As in Keras, numbers are at most TopDB below the largest of the batch: where it is on several
// devices, these agree on it.
func MelSpectrogram(opts ...Option) *MelSpectrogramLayer {
	return declare[*MelSpectrogramLayer]("MelSpectrogram", opts)
}

// SequenceStride sets the distance between the starts of a MelSpectrogram's frames, in steps: 512
// by default. A number below 1 is an error.
func SequenceStride(n int) Option { return set("SequenceStride", n) }

// SequenceLength sets the length of a MelSpectrogram's window in steps; by default it is FFTLength,
// and a larger one is an error. The window stands in the middle of FFTLength steps.
func SequenceLength(n int) Option { return set("SequenceLength", n) }

// SamplingRate sets how many steps of a signal are a second, for MelSpectrogram: 16000 by default.
// A number below 1 is an error.
func SamplingRate(n int) Option { return set("SamplingRate", n) }

// NumMelBins sets the number of frequency bands of a MelSpectrogram: 128 by default. A number below
// 1 is an error.
func NumMelBins(n int) Option { return set("NumMelBins", n) }

// MinFreq sets the lowest frequency of a MelSpectrogram in hertz: 20 by default. It must not be
// negative, and must be below MaxFreq.
func MinFreq(hertz float64) Option { return set("MinFreq", hertz) }

// MaxFreq sets the highest frequency of a MelSpectrogram in hertz: by default half of the sampling
// rate. It must be above MinFreq.
func MaxFreq(hertz float64) Option { return set("MaxFreq", hertz) }

// PowerToDB sets whether a MelSpectrogram is in decibels; by default it is.
func PowerToDB(decibels bool) Option { return set("PowerToDB", decibels) }

// TopDB limits the range of a MelSpectrogram: numbers more than this many decibels below the
// largest one become that limit. The default is 80. A negative number is an error.
func TopDB(decibels float64) Option { return set("TopDB", decibels) }

// MagExp sets the exponent of magnitudes in MelSpectrogram: 1 for energy, 2 (the default) for
// power. A number that is not positive is an error.
func MagExp(x float64) Option { return set("MagExp", x) }

// MinPower sets the least power that MelSpectrogram converts to decibels: smaller powers become x.
// The default is 1e-10. A number that is not positive is an error.
func MinPower(x float64) Option { return set("MinPower", x) }

// RefPower sets the power that is 0 decibels in a MelSpectrogram: 1 by default.
func RefPower(x float64) Option { return set("RefPower", x) }

func newMel(d declared, o *melOptions) Layer {
	l := &MelSpectrogramLayer{d, o}
	if o.FFTLength == nil {
		l.fail("MelSpectrogram: FFTLength: got none, want the length of the transform, such as 2048")
		return l
	}
	if o.SequenceLength == nil {
		o.SequenceLength = o.FFTLength
	}
	if *o.SequenceLength > *o.FFTLength {
		l.fail("MelSpectrogram: SequenceLength: got %d, want at most the length of the transform, %d", *o.SequenceLength, *o.FFTLength)
	}
	if o.MaxFreq == nil {
		half := float64(o.SamplingRate / 2)
		o.MaxFreq = &half
	}
	if *o.MaxFreq <= o.MinFreq {
		l.fail("MelSpectrogram: got frequencies from %g to %g, want MinFreq below MaxFreq", o.MinFreq, *o.MaxFreq)
	}
	if name := o.Window.Name; name != "" && name != "hann" && name != "hamming" {
		l.fail("MelSpectrogram: Window: got %q, want \"hann\", \"hamming\", its numbers or nil", name)
	}
	return l
}

// Build returns an error unless there is one input of at least two dimensions and the window is
// known.
func (l *MelSpectrogramLayer) Build(_ *Builder, inputs []Spec) error {
	if err := checkOne(inputs, 2); err != nil {
		return err
	}
	_, err := l.opts.Window.Of(*l.opts.SequenceLength, true)
	return err
}

// Call returns the mel spectrogram of the input, sounds [..., steps]: [..., mel bins, frames], in
// decibels if the option PowerToDB is set.
func (l *MelSpectrogramLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	o := l.opts
	x := inputs[0]
	if x.DType() != dtypes.Float64 {
		x = graph.ConvertDType(x, dtypes.Float32)
	}
	n := *o.FFTLength
	window, _ := o.Window.Of(*o.SequenceLength, true)
	if window != nil {
		window = signals.Center(window, n)
	}
	re, im := signals.STFT(signals.Pad(x, n/2), window, o.SequenceStride, n)
	y := graph.Sqrt(graph.Add(graph.Square(re), graph.Square(im)))
	y = graph.Pow(y, nodes.Like(y, o.MagExp))
	weights := signals.MelWeights(n/2+1, o.NumMelBins, float64(o.SamplingRate), o.MinFreq, *o.MaxFreq)
	y = graph.DotGeneral(y, []int{y.Rank() - 1}, nil, graph.ConvertDType(graph.Const(x.Graph(), weights), y.DType()), []int{0}, nil)
	if o.PowerToDB {
		y = o.decibels(y)
	}
	y = graph.Transpose(y, y.Rank()-2, y.Rank()-1)
	return []*graph.Node{graph.ConvertDType(y, l.ComputeDType())}
}

// decibels returns the powers x in decibels relative to RefPower, at least the largest of them less
// TopDB. Powers below MinPower, RefPower too, count as MinPower.
func (o *melOptions) decibels(x *graph.Node) *graph.Node {
	y := graph.MulScalar(graph.Log(nodes.Greater(x, nodes.Like(x, o.MinPower))), 10/math.Ln10)
	y = graph.AddScalar(y, -10*math.Log10(max(math.Abs(o.RefPower), o.MinPower)))
	return nodes.Greater(y, graph.AddScalar(graph.ReduceAllMax(y), -o.TopDB))
}
