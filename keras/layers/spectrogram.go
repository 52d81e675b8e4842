package layers

// This file defines STFTSpectrogram, whose kernels are weights.

import (
	"fmt"
	"math"
	"reflect"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/keras/layers/internal/signals"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
)

// signalOptions are the options of spectrograms.
type signalOptions struct {
	mode                     string
	frameLength              int
	frameStep, fftLength     *int
	window                   signalWindow
	periodic, expandDims     bool
	scaling                  string
	stride                   int
	sequenceLength           *int
	samplingRate             int
	melBins                  int
	minFreq                  float64
	maxFreq                  *float64
	powerToDB                bool
	topDB, magExp            float64
	minPower, referencePower float64
}

// signalWindow is a window: the name of one, or its numbers; nothing for none.
type signalWindow struct {
	name    string
	numbers []float64
}

// Assign takes a name, numbers or none.
func (w *signalWindow) Assign(v any) error {
	*w = signalWindow{}
	if v == nil {
		return nil
	}
	if name, ok := v.(string); ok {
		w.name = name
		return signals.CheckWindow(name)
	}
	if w.numbers = floats(v); w.numbers == nil {
		return fmt.Errorf("got %s, want the name of a window, such as \"hann\", or its numbers", brief.Value(v))
	}
	return nil
}

// Read returns what Assign took.
func (w *signalWindow) Read() any {
	switch {
	case w.name != "":
		return w.name
	case w.numbers != nil:
		return w.numbers
	}
	return nil
}

// of returns the window of n numbers, nil for none.
func (w signalWindow) of(n int, periodic bool) ([]float64, error) {
	if w.name != "" {
		return signals.Window(w.name, n, periodic), nil
	}
	if w.numbers != nil && len(w.numbers) != n {
		return nil, fmt.Errorf("got a window of %d numbers, want %d, the length of a frame", len(w.numbers), n)
	}
	return w.numbers, nil
}

// STFTSpectrogramLayer transforms frames of signals: keras.layers.STFTSpectrogram.
type STFTSpectrogramLayer struct {
	declared
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

// SpectrogramMode sets what a spectrogram is of.
func SpectrogramMode(mode string) Option { return set("SpectrogramMode", mode) }

// FrameLength sets how many steps a frame of a spectrogram has: 256 by default.
func FrameLength(n int) Option { return set("FrameLength", n) }

// FrameStep sets the distance of frames: half of their length by default.
func FrameStep(n int) Option { return set("FrameStep", n) }

// FFTLength sets the length of the transform, which determines the number of frequencies. By
// default it is the power of two that is not below the length of a frame, and 2048 for
// MelSpectrogram.
func FFTLength(n int) Option { return set("FFTLength", n) }

// Window sets the factors of the frames: the name of a window of scipy.signal, such as "hann",
// the default, or "hamming"; numbers as []float64; or nil for none.
func Window(window any) Option { return set("Window", window) }

// Periodic makes the window of a STFTSpectrogram one that goes on behind its end.
func Periodic() Option { return set("Periodic", true) }

// Scaling sets the divisor of the window: "density", the default, for its norm, "spectrum" for
// its sum, or "" for none.
func Scaling(kind string) Option {
	if kind == "" {
		return set("Scaling", nil)
	}
	return set("Scaling", kind)
}

// ExpandDims gives the spectrogram the shape of an image: (batch, frames, frequencies, channels).
func ExpandDims() Option { return set("ExpandDims", true) }

func newSTFT(d declared) *STFTSpectrogramLayer {
	o := d.opts.signal
	l := &STFTSpectrogramLayer{declared: d, step: max(1, o.frameLength/2), bins: 1}
	if o.frameStep != nil {
		l.step = *o.frameStep
	}
	for 2*(l.bins-1) < o.frameLength { // the power of two
		l.bins = max(2, 2*l.bins-1)
	}
	if o.frameLength == 1 {
		l.bins = 1
	}
	if o.fftLength != nil {
		l.bins = *o.fftLength/2 + 1
		if *o.fftLength < o.frameLength {
			l.fail("STFTSpectrogram: FFTLength: got %d, want at least the length of a frame, %d", *o.fftLength, o.frameLength)
		}
	}
	if l.step > o.frameLength {
		l.fail("STFTSpectrogram: FrameStep: got %d, want at most the length of a frame, %d", l.step, o.frameLength)
	}
	l.opts.window = window{size: []int{o.frameLength}, strides: []int{l.step}, dilation: []int{1}, pad: d.opts.window.pad}
	l.opts.window.toRank(&l.Base, 1, false)
	return l
}

// Build makes the kernels.
func (l *STFTSpectrogramLayer) Build(b *Builder, inputs []Spec) error {
	if err := l.opts.window.check(inputs); err != nil {
		return err
	}
	o := l.opts.signal
	window, err := o.window.of(o.frameLength, o.periodic)
	if err != nil {
		return err
	}
	kernel := stftKernel{window: window, scaling: o.scaling}
	shape := []int{o.frameLength, 1, l.bins}
	if o.mode != "imag" {
		kernel.wave = math.Cos
		if l.RealKernel, err = b.AddWeight("real_kernel", shape, l.DType(), kernel); err != nil {
			return err
		}
	}
	if o.mode != "real" {
		kernel.wave = math.Sin
		l.ImagKernel, err = b.AddWeight("imag_kernel", shape, l.DType(), kernel)
	}
	return err
}

// stftKernel fills a kernel with waves: keras.initializers.STFT.
type stftKernel struct {
	wave    func(float64) float64
	window  []float64 // nil for ones
	scaling string
}

// Fill writes the part of the kernel in ranges. Angles are float32 numbers, as in Keras.
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

// Call computes the spectrogram.
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
	switch l.opts.signal.mode {
	case "real":
		return l.shaped(re)
	case "imag":
		return l.shaped(im)
	case "angle":
		return l.shaped(graph.Atan2(im, re))
	case "stft":
		return l.shaped(graph.Concatenate([]*graph.Node{re, im}, 3))
	}
	power := graph.Add(graph.Square(re), graph.Square(im))
	if l.opts.signal.mode == "psd" {
		return l.shaped(graph.Add(power, betweenEnds(power)))
	}
	y := graph.Sqrt(greater(power, like(power, least)))
	if l.opts.signal.mode == "log" {
		y = graph.Log(greater(y, like(y, least)))
	}
	return l.shaped(y)
}

// convolve transforms each channel: [batch, channels, frames, frequencies].
func (l *STFTSpectrogramLayer) convolve(x, kernel *graph.Node) *graph.Node {
	dims := x.Shape().Dimensions
	x = graph.Reshape(graph.Transpose(x, 1, 2), dims[0]*dims[2], dims[1], 1)
	y := l.opts.window.convolve(x, kernel, 1)
	return graph.Reshape(y, dims[0], dims[2], y.Shape().Dimensions[1], l.bins)
}

// betweenEnds returns x with zeros for the first and the last frequency.
func betweenEnds(x *graph.Node) *graph.Node {
	n := x.Shape().Dimensions[3]
	at := graph.Iota(x.Graph(), shapes.Make(dtypes.Int32, x.Shape().Dimensions...), 3)
	ends := graph.LogicalOr(graph.Equal(at, like(at, 0)), graph.Equal(at, like(at, float64(n-1))))
	return graph.Where(ends, graph.ZerosLike(x), x)
}

// shaped returns the output for x [batch, channels, frames, frequencies].
func (l *STFTSpectrogramLayer) shaped(x *graph.Node) []*graph.Node {
	if l.opts.signal.expandDims {
		return []*graph.Node{graph.TransposeAllAxes(x, 0, 2, 3, 1)}
	}
	dims := x.Shape().Dimensions
	return []*graph.Node{graph.Reshape(graph.TransposeAllAxes(x, 0, 2, 1, 3), dims[0], dims[2], dims[1]*dims[3])}
}
