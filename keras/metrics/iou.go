package metrics

// This file holds the metrics of segmentation: intersection over union.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/losses"
)

// IoU is the intersection of predictions and labels over their union: the mean over the target
// classes that occur. Nil targetClassIDs are all classes; one that is not below numClasses is an
// error. Labels and predictions are class numbers unless SparseYTrue or SparseYPred says otherwise.
// As in Keras, sample weights lose their fractions. Options: Name, IgnoreClass, SparseYTrue,
// SparseYPred, Axis.
func IoU(numClasses int, targetClassIDs []int, opts ...Option) *Metric {
	return iouWith(withArguments(opts, set("NumClasses", numClasses), set("TargetClassIDs", targetClassIDs))...)
}

// MeanIoU is IoU of all classes, numClasses of them. Below 1 is an error. Options: those of IoU.
func MeanIoU(numClasses int, opts ...Option) *Metric {
	return meanIoUWith(withArguments(opts, set("NumClasses", numClasses))...)
}

// OneHotIoU is IoU of one-hot labels, and of predictions with a value for each class, unless
// SparseYPred says that they are class numbers. Options: Name, IgnoreClass, SparseYPred, Axis.
func OneHotIoU(numClasses int, targetClassIDs []int, opts ...Option) *Metric {
	return oneHotIoUWith(withArguments(opts, set("NumClasses", numClasses), set("TargetClassIDs", targetClassIDs))...)
}

// OneHotMeanIoU is OneHotIoU of all classes, numClasses of them. Below 1 is an error. Options:
// those of OneHotIoU.
func OneHotMeanIoU(numClasses int, opts ...Option) *Metric {
	return oneHotMeanIoUWith(withArguments(opts, set("NumClasses", numClasses))...)
}

// BinaryIoU is IoU of two classes: 0 for predictions below Threshold (0.5 by default), 1 for
// others. Options: Name, TargetClassIDs, Threshold.
func BinaryIoU(opts ...Option) *Metric {
	return newMetric("BinaryIoU", opts, func(o *binaryOverlapOptions) rule {
		return overlap{classes: 2, targets: o.TargetClassIDs, threshold: &o.Threshold, sparseTrue: true, sparsePred: true, axis: -1}.rule()
	})
}

func iouWith(opts ...Option) *Metric {
	return newMetric("IoU", opts, func(o *struct {
		targetOptions
		sparseOptions
	}) rule {
		return o.overlap(o.TargetClassIDs).rule()
	})
}

func meanIoUWith(opts ...Option) *Metric {
	return newMetric("MeanIoU", opts, func(o *sparseOptions) rule { return o.overlap(nil).rule() })
}

func oneHotIoUWith(opts ...Option) *Metric {
	return newMetric("OneHotIoU", opts, func(o *struct {
		targetOptions
		oneHotOptions
	}) rule {
		return o.overlap(o.TargetClassIDs).rule()
	})
}

func oneHotMeanIoUWith(opts ...Option) *Metric {
	return newMetric("OneHotMeanIoU", opts, func(o *oneHotOptions) rule { return o.overlap(nil).rule() })
}

// overlap returns which classes the metric compares for these target classes, nil for all, with the
// settings of the options.
func (o *sparseOptions) overlap(targets []int) overlap {
	return overlap{classes: o.NumClasses, targets: targets, ignoreClass: o.IgnoreClass, sparseTrue: o.SparseYTrue, sparsePred: o.SparseYPred, axis: o.Axis}
}

// overlap returns which classes a metric of one-hot labels compares for these target classes, nil
// for all, with the settings of the options.
func (o *oneHotOptions) overlap(targets []int) overlap {
	return overlap{classes: o.NumClasses, targets: targets, ignoreClass: o.IgnoreClass, sparsePred: o.SparseYPred, axis: o.Axis}
}

// overlap says which classes a metric compares, and how it finds the classes of labels and
// predictions.
type overlap struct {
	classes                int      // their number
	targets                []int    // nil for all
	threshold              *float64 // of predictions of two classes, or nil
	ignoreClass            *int
	sparseTrue, sparsePred bool
	axis                   int // of the classes
}

// confusion is the name of a variable of the state: the confusion matrix of labels and predictions.
const confusion = "total_confusion_matrix"

// rule returns the rule that computes the metric from a confusion matrix. A target class that does
// not exist is its error.
func (o overlap) rule() rule {
	for _, id := range o.targets {
		if id >= o.classes {
			return rule{err: fmt.Errorf("got the target class %d, want one below the number of classes, %d", id, o.classes)}
		}
	}
	return rule{
		state: func(_, _ []int) ([]StateVariable, error) {
			return []StateVariable{{Name: confusion, Shape: []int{o.classes, o.classes}, DType: dtypes.Int32}}, nil
		},
		update: o.update,
		result: o.result,
	}
}

// update adds the labels and predictions of a batch to the confusion matrix. It ignores numbers
// that are not classes, and labels of the class to ignore. Sample weights lose their fractions.
func (o overlap) update(u *Update) {
	class := func(y *g.Node, sparse bool) *g.Node {
		if !sparse {
			y = g.ArgMax(y, o.axis, dtypes.Int32)
		}
		return g.Reshape(g.ConvertDType(y, dtypes.Int32), -1)
	}
	yPred := u.YPred
	if o.threshold != nil {
		yPred = g.ConvertDType(g.GreaterOrEqual(yPred, like(yPred, *o.threshold)), dtypes.Int32)
	}
	label, prediction := class(u.YTrue, o.sparseTrue), class(yPred, o.sparsePred)
	rows := g.OneHot(label, o.classes, dtypes.Float32)
	if w := u.SampleWeight; w != nil {
		perValue := like(g.ConvertDType(label, dtypes.Float32), 1)
		w = g.ConvertDType(g.ConvertDType(w, dtypes.Int32), dtypes.Float32)
		if n := w.Shape().Size(); n != perValue.Shape().Size() {
			w = losses.SpreadWeights(g.Reshape(w, n), g.Reshape(perValue, n, -1))
		}
		rows = g.Mul(rows, g.BroadcastToShape(g.InsertAxes(g.Reshape(w, -1), -1), rows.Shape()))
	}
	if o.ignoreClass != nil {
		counts := g.ConvertDType(g.NotEqual(label, like(label, float64(*o.ignoreClass))), dtypes.Float32)
		rows = g.Mul(rows, g.BroadcastToShape(g.InsertAxes(counts, -1), rows.Shape()))
	}
	u.Add(confusion, g.Dot(g.Transpose(rows, 0, 1), g.OneHot(prediction, o.classes, dtypes.Float32)).Product())
}

// result returns the mean IoU of the target classes that occur, all classes without targets, from
// the confusion matrix in s.
func (o overlap) result(s *State) *g.Node {
	m := g.ConvertDType(s.Get(confusion), dtypes.Float32)
	both := g.ReduceSum(g.Mul(m, g.ConvertDType(g.Diagonal(m.Graph(), o.classes), dtypes.Float32)), 0)
	either := g.Sub(g.Add(g.ReduceSum(m, 0), g.ReduceSum(m, 1)), both)
	target := make([]float32, o.classes)
	for i := range target {
		if o.targets == nil {
			target[i] = 1
		}
	}
	for _, id := range o.targets {
		target[id]++
	}
	wanted := g.Const(m.Graph(), target)
	occurs := g.Mul(wanted, g.ConvertDType(g.GreaterThan(either, like(either, 1e-9)), dtypes.Float32))
	parts := g.Mul(occurs, g.Div(both, g.AddScalar(either, epsilon)))
	return g.Div(g.ReduceAllSum(parts), g.AddScalar(g.ReduceAllSum(occurs), epsilon))
}
