package metrics

// This file checks the shapes of labels before a metric is built. The error says which metric fits
// the labels, or which labels fit the metric.

import (
	"fmt"
	"slices"
)

// These texts advise what to do if a metric takes one-hot labels and gets class numbers.
const (
	useOneHot = "it takes 0 or 1 for each class: make the labels one-hot by utils.ToCategorical"
	useSparse = useOneHot + ", or use "
)

// ofOneHot has, for each metric that takes one-hot labels, the advice in errors for labels that are
// class numbers.
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

// ofClasses has, for each metric that takes class numbers, the name of the metric that takes
// one-hot labels.
var ofClasses = map[string]string{
	"SparseCategoricalAccuracy":     "CategoricalAccuracy",
	"SparseCategoricalCrossentropy": "CategoricalCrossentropy",
	"SparseTopKCategoricalAccuracy": "TopKCategoricalAccuracy",
}

// checkLabels returns an error if the labels are class numbers and the metric takes one-hot labels,
// or the other way around. It decides by the shapes, the batch first, and only if the predictions
// have two or more classes in their last dimension.
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
