package metrics

// This file checks the shapes of labels before a metric is built: the error says which metric or
// which labels fit.

import (
	"fmt"
	"slices"
)

// Advice for labels of the other kind.
const (
	useOneHot = "it takes 0 or 1 for each class: make the labels one-hot by utils.ToCategorical"
	useSparse = useOneHot + ", or use "
)

// ofOneHot says, of metrics that take a number for each class, what fits labels that are the
// number of a class.
var ofOneHot = map[string]string{
	"AUC": useOneHot, "F1Score": useOneHot, "FBetaScore": useOneHot, "Precision": useOneHot, "Recall": useOneHot,
	"TruePositives": useOneHot, "FalsePositives": useOneHot, "TrueNegatives": useOneHot, "FalseNegatives": useOneHot,
	"PrecisionAtRecall": useOneHot, "RecallAtPrecision": useOneHot, "SensitivityAtSpecificity": useOneHot, "SpecificityAtSensitivity": useOneHot,
	"CategoricalAccuracy":     useSparse + "SparseCategoricalAccuracy",
	"CategoricalCrossentropy": useSparse + "SparseCategoricalCrossentropy",
	"TopKCategoricalAccuracy": useSparse + "SparseTopKCategoricalAccuracy",
	"OneHotIoU":               useSparse + "IoU with SparseYPred(false)",
	"OneHotMeanIoU":           useSparse + "MeanIoU with SparseYPred(false)",
}

// ofClasses has the metric of one-hot labels for each that takes the number of a class.
var ofClasses = map[string]string{
	"SparseCategoricalAccuracy":     "CategoricalAccuracy",
	"SparseCategoricalCrossentropy": "CategoricalCrossentropy",
	"SparseTopKCategoricalAccuracy": "TopKCategoricalAccuracy",
}

// checkLabels returns the error of labels that are class numbers where the metric takes one-hot
// ones, or the other way around.
func (m *Metric) checkLabels(labels, predictions []int) error {
	n := len(predictions)
	if n < 2 || predictions[n-1] < 2 || len(labels) == 0 {
		return nil
	}
	classes, rows := predictions[n-1], predictions[1:n-1]
	sparse := slices.Equal(labels[1:], rows) || slices.Equal(labels[1:], append(slices.Clone(rows), 1))
	if advice := ofOneHot[m.class]; sparse && advice != "" {
		return fmt.Errorf("metric %s: got labels of shape %v, the numbers of classes, and %d predictions for each: %s", m.Name(), labels, classes, advice)
	}
	if fits := ofClasses[m.class]; fits != "" && len(labels) == n && labels[n-1] == classes {
		return fmt.Errorf("metric %s: got one-hot labels of shape %v: it takes the numbers of classes: use %s", m.Name(), labels, fits)
	}
	return nil
}
