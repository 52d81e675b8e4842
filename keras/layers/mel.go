package layers

// This file defines MelSpectrogram.

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/signals"
)

// MelSpectrogramLayer computes what is heard of signals: keras.layers.MelSpectrogram.
type MelSpectrogramLayer struct{ declared }

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

// SequenceStride sets the distance of the frames of a MelSpectrogram.
func SequenceStride(n int) Option { return set("SequenceStride", n) }

// SequenceLength sets the length of the window of a MelSpectrogram, which stands in the middle of
// FFTLength steps.
func SequenceLength(n int) Option { return set("SequenceLength", n) }

// SamplingRate sets how many steps of a signal are a second.
func SamplingRate(n int) Option { return set("SamplingRate", n) }

// NumMelBins sets the number of bands of a MelSpectrogram.
func NumMelBins(n int) Option { return set("NumMelBins", n) }

// MinFreq sets the lowest frequency of a MelSpectrogram, in Hertz.
func MinFreq(hertz float64) Option { return set("MinFreq", hertz) }

// MaxFreq sets its highest frequency.
func MaxFreq(hertz float64) Option { return set("MaxFreq", hertz) }

// PowerToDB sets whether a MelSpectrogram is in decibels.
func PowerToDB(decibels bool) Option { return set("PowerToDB", decibels) }

// TopDB sets how many decibels numbers are below the largest at most.
func TopDB(decibels float64) Option { return set("TopDB", decibels) }

// MagExp sets the power of magnitudes: 1 for energy, 2 for power.
func MagExp(x float64) Option { return set("MagExp", x) }

// MinPower sets the least power that is told from none.
func MinPower(x float64) Option { return set("MinPower", x) }

// RefPower sets the power of 0 decibels.
func RefPower(x float64) Option { return set("RefPower", x) }

func newMel(d declared) *MelSpectrogramLayer {
	l := &MelSpectrogramLayer{d}
	o := &l.opts.signal
	if o.fftLength == nil {
		l.fail("MelSpectrogram: FFTLength: got none, want the length of the transform, such as 2048")
		return l
	}
	if o.sequenceLength == nil {
		o.sequenceLength = o.fftLength
	}
	if *o.sequenceLength > *o.fftLength {
		l.fail("MelSpectrogram: SequenceLength: got %d, want at most the length of the transform, %d", *o.sequenceLength, *o.fftLength)
	}
	if o.maxFreq == nil {
		half := float64(o.samplingRate / 2)
		o.maxFreq = &half
	}
	if *o.maxFreq <= o.minFreq {
		l.fail("MelSpectrogram: got frequencies from %g to %g, want MinFreq below MaxFreq", o.minFreq, *o.maxFreq)
	}
	if name := o.window.name; name != "" && name != "hann" && name != "hamming" {
		l.fail("MelSpectrogram: Window: got %q, want \"hann\", \"hamming\", its numbers or nil", name)
	}
	return l
}

// Build checks the input and the window.
func (l *MelSpectrogramLayer) Build(_ *Builder, inputs []Spec) error {
	if err := checkOne(inputs, 2); err != nil {
		return err
	}
	_, err := l.opts.signal.window.of(*l.opts.signal.sequenceLength, true)
	return err
}

// Call computes the spectrogram.
func (l *MelSpectrogramLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	o := l.opts.signal
	x := inputs[0]
	if x.DType() != dtypes.Float64 {
		x = graph.ConvertDType(x, dtypes.Float32)
	}
	n := *o.fftLength
	window, _ := o.window.of(*o.sequenceLength, true)
	if window != nil {
		window = signals.Centered(window, n)
	}
	re, im := signals.STFT(signals.Padded(x, n/2), window, o.stride, n)
	y := graph.Sqrt(graph.Add(graph.Square(re), graph.Square(im)))
	y = graph.Pow(y, like(y, o.magExp))
	weights := signals.MelWeights(n/2+1, o.melBins, float64(o.samplingRate), o.minFreq, *o.maxFreq)
	y = graph.DotGeneral(y, []int{y.Rank() - 1}, nil, graph.ConvertDType(graph.Const(x.Graph(), weights), y.DType()), []int{0}, nil)
	if o.powerToDB {
		y = o.decibels(y)
	}
	y = graph.Transpose(y, y.Rank()-2, y.Rank()-1)
	return []*graph.Node{graph.ConvertDType(y, l.ComputeDType())}
}

// decibels returns powers in decibels.
func (o signalOptions) decibels(x *graph.Node) *graph.Node {
	y := graph.MulScalar(graph.Log(greater(x, like(x, o.minPower))), 10/math.Ln10)
	y = graph.AddScalar(y, -10*math.Log10(max(math.Abs(o.referencePower), o.minPower)))
	return greater(y, graph.AddScalar(graph.ReduceAllMax(y), -o.topDB))
}
