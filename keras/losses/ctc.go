package losses

// This file holds CTC.

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/activations"
)

var minusInfinity = math.Inf(-1)

// logZero stands for the logarithm of 0 in CTC, as in Keras.
const logZero = -1e5

// CTC is the connectionist temporal classification loss of sequences without alignment (Graves et
// al., 2006). Labels are class numbers of shape (batch, labels); 0 is padding, at the end.
// Predictions are logits of shape (batch, steps, classes); class 0 is the blank. The result has one
// loss for each sample. The loop over the steps is unrolled: the program grows with their number.
func CTC(opts ...Option) *Loss { return plain("CTC", opts, ctc) }

// ctc follows optax.ctc_loss_with_forward_probs, as Keras on JAX does. phi[n] is the logarithm of
// the probability of the first n labels followed by a blank. emit[n] is that of the first n+1
// labels without a blank at the end.
func ctc(yTrue, yPred *g.Node) *g.Node {
	labels := g.ConvertDType(yTrue, dtypes.Int32)
	batch, n := labels.Shape().Dim(0), labels.Shape().Dim(1)
	steps, classes := yPred.Shape().Dim(1), yPred.Shape().Dim(2)
	logP := activations.LogSoftmax(yPred)
	blank := g.Slice(logP, g.AxisRange(), g.AxisRange(), g.AxisRange(0, 1)) // (batch, steps, 1)
	oneHot := g.OneHot(labels, classes, logP.DType())
	emitted := g.Einsum("btk,bnk->btn", logP, oneHot)

	repeat := g.Pad(g.ConvertDType(g.Equal(columns(labels, 0, n-1), columns(labels, 1, n)), logP.DType()),
		g.ScalarZero(logP.Graph(), logP.DType()), g.PadAxis{}, g.PadAxis{End: 1})
	forbidRepeat, forbidOther := g.MulScalar(repeat, logZero), g.MulScalar(g.OneMinus(repeat), logZero)
	shape := repeat.Shape().Clone()
	emit := g.BroadcastToShape(g.Scalar(logP.Graph(), logP.DType(), logZero), shape)
	phi := g.Concatenate([]*g.Node{g.ZerosLike(columns(emit, 0, 1)), emit}, -1)
	for t := range steps {
		at := func(x *g.Node) *g.Node { return g.Squeeze(g.Slice(x, g.AxisRange(), g.AxisRange(t, t+1)), 1) }
		e, b := at(emitted), at(blank)
		before := addedTo(phi, g.Add(emit, forbidRepeat))
		b = g.BroadcastToDims(b, batch, n+1)
		next := logAddExp(g.Add(columns(before, 0, n), e), g.Add(emit, e))
		phi = addedTo(g.Add(before, b), g.Add(g.Add(emit, columns(b, 0, n)), forbidOther))
		emit = next
	}
	length := g.ReduceSum(g.ConvertDType(g.NotEqual(labels, g.ZerosLike(labels)), dtypes.Int32), -1)
	last := g.OneHot(length, n+1, logP.DType())
	return g.Neg(g.ReduceSum(g.Mul(addedTo(phi, emit), last), -1))
}

// columns returns the columns first to limit-1 of the last dimension.
func columns(x *g.Node, first, limit int) *g.Node {
	return g.Slice(x, g.AxisRange(), g.AxisRange(first, limit))
}

// addedTo returns phi, logarithms of probabilities (batch, n), with the probabilities more added to
// all columns except the first.
func addedTo(phi, more *g.Node) *g.Node {
	return g.Concatenate([]*g.Node{columns(phi, 0, 1), logAddExp(columns(phi, 1, phi.Shape().Dim(1)), more)}, -1)
}

// logAddExp returns log(exp(a) + exp(b)), element by element.
func logAddExp(a, b *g.Node) *g.Node {
	high := g.StopGradient(g.Max(a, b))
	return g.Add(high, g.Log(g.Add(g.Exp(g.Sub(a, high)), g.Exp(g.Sub(b, high)))))
}
