package metrics

// This file holds the metrics of segmentation: intersection over union.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/losses"
)

// IoU is the intersection of predictions and labels over their union: the mean over the target
// classes that occur. Labels and predictions are class numbers unless SparseYTrue or SparseYPred
// says otherwise. As in Keras, sample weights are integers. Options: Name, IgnoreClass,
// SparseYTrue, SparseYPred, Axis.
func IoU(numClasses int, targetClassIDs []int, opts ...Option) *Metric {
	return iouWith(withArguments(opts, Option{settings.With("NumClasses", numClasses)}, Option{settings.With("TargetClassIDs", targetClassIDs)})...)
}

// MeanIoU is IoU of all classes. Options: those of IoU.
func MeanIoU(numClasses int, opts ...Option) *Metric {
	return meanIoUWith(withArguments(opts, Option{settings.With("NumClasses", numClasses)})...)
}

// OneHotIoU is IoU of one-hot labels, and of predictions with a value for each class. Options:
// Name, IgnoreClass, SparseYPred, Axis.
func OneHotIoU(numClasses int, targetClassIDs []int, opts ...Option) *Metric {
	return oneHotIoUWith(withArguments(opts, Option{settings.With("NumClasses", numClasses)}, Option{settings.With("TargetClassIDs", targetClassIDs)})...)
}

// OneHotMeanIoU is OneHotIoU of all classes. Options: those of OneHotIoU.
func OneHotMeanIoU(numClasses int, opts ...Option) *Metric {
	return oneHotMeanIoUWith(withArguments(opts, Option{settings.With("NumClasses", numClasses)})...)
}

// BinaryIoU is IoU of two classes: 0 for predictions below Threshold (0.5 by default), 1 for
// others. Options: Name, TargetClassIDs, Threshold.
func BinaryIoU(opts ...Option) *Metric {
	threshold := 0.5
	return newIoU("BinaryIoU", config{numClasses: 2, targets: []int{0, 1}, threshold: &threshold, sparseTrue: true, sparsePred: true}, opts,
		"TargetClassIDs", "Threshold")
}

func iouWith(opts ...Option) *Metric {
	return newIoU("IoU", config{sparseTrue: true, sparsePred: true}, opts, "NumClasses", "TargetClassIDs", "IgnoreClass", "SparseYTrue", "SparseYPred", "Axis")
}

func meanIoUWith(opts ...Option) *Metric {
	return newIoU("MeanIoU", config{sparseTrue: true, sparsePred: true}, opts, "NumClasses", "IgnoreClass", "SparseYTrue", "SparseYPred", "Axis")
}

func oneHotIoUWith(opts ...Option) *Metric {
	return newIoU("OneHotIoU", config{}, opts, "NumClasses", "TargetClassIDs", "IgnoreClass", "SparseYPred", "Axis")
}

func oneHotMeanIoUWith(opts ...Option) *Metric {
	return newIoU("OneHotMeanIoU", config{}, opts, "NumClasses", "IgnoreClass", "SparseYPred", "Axis")
}

// confusion is the name of a variable of the state: the confusion matrix of labels and predictions.
const confusion = "total_confusion_matrix"

func newIoU(class string, c config, opts []Option, accepts ...string) *Metric {
	c.axis = []int{-1}
	m := newMetric(class, c, opts, accepts, rule{
		state: func(c *config, _, _ []int) ([]StateVariable, error) {
			return []StateVariable{{Name: confusion, Shape: []int{c.numClasses, c.numClasses}, DType: dtypes.Int32}}, nil
		},
		update: updateIoU,
		result: resultIoU,
	})
	for _, id := range m.options.targets {
		if n := m.options.numClasses; id >= n && m.err == nil {
			m.err = fmt.Errorf("%s: got the target class %d, want one below the number of classes, %d", class, id, n)
		}
	}
	return m
}

// updateIoU adds the labels and predictions of a batch to the confusion matrix. It ignores numbers
// that are not classes.
func updateIoU(c *config, u *Update) {
	class := func(y *g.Node, sparse bool) *g.Node {
		if !sparse {
			y = g.ArgMax(y, c.axis[0], dtypes.Int32)
		}
		return g.Reshape(g.ConvertDType(y, dtypes.Int32), -1)
	}
	yPred := u.YPred
	if c.threshold != nil {
		yPred = g.ConvertDType(g.GreaterOrEqual(yPred, like(yPred, *c.threshold)), dtypes.Int32)
	}
	label, prediction := class(u.YTrue, c.sparseTrue), class(yPred, c.sparsePred)
	rows := g.OneHot(label, c.numClasses, dtypes.Float32)
	if w := u.SampleWeight; w != nil {
		perValue := like(g.ConvertDType(label, dtypes.Float32), 1)
		w = g.ConvertDType(g.ConvertDType(w, dtypes.Int32), dtypes.Float32)
		if n := w.Shape().Size(); n != perValue.Shape().Size() {
			w = losses.SpreadWeights(g.Reshape(w, n), g.Reshape(perValue, n, -1))
		}
		rows = g.Mul(rows, g.BroadcastToShape(g.InsertAxes(g.Reshape(w, -1), -1), rows.Shape()))
	}
	if c.ignoreClass != nil {
		counts := g.ConvertDType(g.NotEqual(label, like(label, float64(*c.ignoreClass))), dtypes.Float32)
		rows = g.Mul(rows, g.BroadcastToShape(g.InsertAxes(counts, -1), rows.Shape()))
	}
	u.Add(confusion, g.Dot(g.Transpose(rows, 0, 1), g.OneHot(prediction, c.numClasses, dtypes.Float32)).Product())
}

// resultIoU returns the mean IoU of the target classes that occur.
func resultIoU(c *config, s *State) *g.Node {
	m := g.ConvertDType(s.Get(confusion), dtypes.Float32)
	both := g.ReduceSum(g.Mul(m, g.ConvertDType(g.Diagonal(m.Graph(), c.numClasses), dtypes.Float32)), 0)
	either := g.Sub(g.Add(g.ReduceSum(m, 0), g.ReduceSum(m, 1)), both)
	target := make([]float32, c.numClasses)
	for i := range target {
		if c.targets == nil {
			target[i] = 1
		}
	}
	for _, id := range c.targets {
		target[id]++
	}
	wanted := g.Const(m.Graph(), target)
	occurs := g.Mul(wanted, g.ConvertDType(g.GreaterThan(either, like(either, 1e-9)), dtypes.Float32))
	parts := g.Mul(occurs, g.Div(both, g.AddScalar(either, epsilon)))
	return g.Div(g.ReduceAllSum(parts), g.AddScalar(g.ReduceAllSum(occurs), epsilon))
}
