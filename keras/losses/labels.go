package losses

// This file says which labels a loss takes, and checks their shapes before the loss is computed.
// The error says which loss fits the labels, or which labels fit the loss.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// labelKind is the kind of labels that a loss takes.
type labelKind int

const (
	likePredictions labelKind = iota // of the shape of the predictions
	classNumbers                     // of the shape of the predictions without the classes
	oneClass                         // one number for each sample
	sequences                        // a row of class numbers for each sample
)

// kind returns the kind of labels that the loss takes. known is false for a loss of the user's own.
func (l *Loss) kind() (kind labelKind, known bool) {
	i := slices.IndexFunc(classes, func(c lossClass) bool { return c.class == l.class })
	if i < 0 {
		return likePredictions, false
	}
	return classes[i].labels, true
}

// Labels returns the type and shape of labels that fit predictions of the given type and shape.
// Class numbers are int32. For losses that take labels of several shapes it is one of them: for
// CTC, as many labels as steps, and for a loss of the user's own, the shape of the predictions.
func (l *Loss) Labels(predictions shapes.Shape) shapes.Shape {
	dims := slices.Clone(predictions.Dimensions)
	kind, _ := l.kind()
	switch {
	case kind == classNumbers && len(dims) > 0:
		class := len(dims) - 1
		if axis := l.axis(); axis >= -len(dims) && axis < len(dims) {
			class = (axis + len(dims)) % len(dims)
		}
		return shapes.Make(dtypes.Int32, slices.Delete(dims, class, class+1)...)
	case kind == oneClass:
		return shapes.Make(dtypes.Int32, dims[:min(1, len(dims))]...)
	case kind == sequences:
		return shapes.Make(dtypes.Int32, dims[:min(2, len(dims))]...)
	}
	return predictions
}

// checkShapes returns an error, with advice, if the shape of the labels does not fit that of the
// predictions. It does not check the user's own losses, scalar predictions, nor class numbers if
// the option Axis is not the last dimension.
func (l *Loss) checkShapes(labels, predictions []int) error {
	kind, known := l.kind()
	if !known || len(predictions) == 0 {
		return nil
	}
	advice := ""
	rows := predictions[:len(predictions)-1]
	perClass := predictions[len(predictions)-1]
	switch kind {
	case likePredictions:
		if sameButLast(labels, predictions) {
			return nil
		}
		advice = likeAdvice(l.class, labels, predictions)
	case classNumbers:
		if l.otherAxis() || sameButLast(labels, rows) || slices.Equal(labels, append(slices.Clone(rows), 1)) {
			return nil
		}
		advice = fmt.Sprintf("it takes class numbers of shape %v", rows)
		if slices.Equal(labels, predictions) {
			advice += "; for one-hot labels use categorical_crossentropy"
		}
	case oneClass:
		if len(labels) > 0 && labels[0] == predictions[0] && size(labels) == labels[0] && len(predictions) == 2 {
			return nil
		}
		advice = "it takes one class number and one vector for each sample"
	case sequences:
		if len(labels) == 2 && len(predictions) == 3 && labels[0] == predictions[0] {
			return nil
		}
		advice = "it takes class numbers of shape (batch, labels) and predictions of shape (batch, steps, classes)"
	}
	if kind == classNumbers && perClass == 1 {
		advice += "; for two classes and one output use binary_crossentropy"
	}
	return fmt.Errorf("loss %s: labels have shape %v, predictions %v: %s", l.Name(), labels, predictions, advice)
}

// likeAdvice returns advice for an error, about labels that do not have the shape of the
// predictions: which labels, or which loss instead of class, would fit.
func likeAdvice(class string, labels, predictions []int) string {
	outputs := predictions[len(predictions)-1]
	oneNumber := slices.Equal(labels, predictions[:len(predictions)-1]) || slices.Equal(labels, append(slices.Clone(predictions[:len(predictions)-1]), 1))
	switch {
	case oneNumber && (class == "CategoricalCrossentropy" || class == "BinaryCrossentropy"):
		return "for labels that are class numbers use sparse_categorical_crossentropy, or make them one-hot"
	case oneNumber:
		return fmt.Sprintf("the last layer has %d outputs for one number of the labels: give it one output, such as layers.Dense(1), or give %d numbers", outputs, outputs)
	case len(labels) == len(predictions) && slices.Equal(labels[:len(labels)-1], predictions[:len(predictions)-1]):
		return fmt.Sprintf("they must be the same: give the last layer %d outputs, or give labels of %d numbers", labels[len(labels)-1], outputs)
	}
	return "they must be the same"
}

// sameButLast reports whether two shapes are equal, apart from a last dimension of size 1 in one of
// them.
func sameButLast(a, b []int) bool {
	trim := func(s []int) []int {
		if n := len(s); n > 1 && s[n-1] == 1 {
			return s[:n-1]
		}
		return s
	}
	return slices.Equal(a, b) || len(a) != len(b) && slices.Equal(trim(a), trim(b))
}

func size(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}
