package metrics

// This file defines the options of metrics: the structs that hold those of each class, and the
// functions that set them. Config and FromConfig write and read them under Keras'
// names.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/option"
)

// Option configures a metric. A metric takes Name and the options that its doc comment names; any
// other is an error, which Get and Check return.
type Option struct{ given }

// given is the name of an option and the value that it sets.
type given = option.Given

func set(name string, value any) Option { return Option{given{Name: name, Value: value}} }

// common holds the only option that all metrics have: Name.
type common struct {
	Name string `option:"name"`
}

// noOptions is the struct of options of metrics that have only Name.
type noOptions struct{}

// thresholdOptions holds the option of BinaryAccuracy: the threshold, 0.5 by default.
type thresholdOptions struct {
	Threshold float64 `option:"threshold" default:"0.5" want:"fraction"`
}

// topKOptions holds the option of TopKCategoricalAccuracy: K, 5 by default.
type topKOptions struct {
	K int `option:"k" default:"5" want:"positive"`
}

// sparseTopKOptions holds the options of SparseTopKCategoricalAccuracy: K and FromSortedIDs.
type sparseTopKOptions struct {
	topKOptions
	FromSortedIDs bool `option:"from_sorted_ids"`
}

// axisOptions holds the dimensions that a metric works along, the last by default.
type axisOptions struct {
	Axis option.Ints `option:"axis" default:"-1"`
}

// logitOptions holds the option FromLogits: whether predictions are logits or probabilities.
type logitOptions struct {
	FromLogits bool `option:"from_logits"`
}

// binaryEntropyOptions holds the options of BinaryCrossentropy: FromLogits and LabelSmoothing.
type binaryEntropyOptions struct {
	logitOptions
	LabelSmoothing float64 `option:"label_smoothing" want:"fraction"`
}

// entropyOptions holds the options of CategoricalCrossentropy: FromLogits, LabelSmoothing and Axis.
type entropyOptions struct {
	binaryEntropyOptions
	axisOptions
}

// sparseEntropyOptions holds the options of SparseCategoricalCrossentropy: FromLogits, IgnoreClass
// (nil for none) and Axis.
type sparseEntropyOptions struct {
	logitOptions
	IgnoreClass *int `option:"ignore_class"`
	axisOptions
}

// countOptions holds the thresholds of TruePositives, FalsePositives and the like; nil is 0.5
// alone.
type countOptions struct {
	Thresholds []float64 `option:"thresholds" want:"fraction"`
}

// ratioOptions holds the options of Precision and Recall: Thresholds, TopK and ClassID, nil where
// not given.
type ratioOptions struct {
	countOptions
	TopK    *int `option:"top_k" want:"positive"`
	ClassID *int `option:"class_id" want:"notNegative"`
}

// boundOptions holds the options of the metrics that maximize one rate where another is bounded:
// NumThresholds and ClassID (nil for all classes).
type boundOptions struct {
	NumThresholds int  `option:"num_thresholds" default:"200" most:"1000000"`
	ClassID       *int `option:"class_id" want:"notNegative"`
}

// aucOptions holds the options of AUC: the thresholds, the curve and how its area is summed, those
// of several labels, and FromLogits.
type aucOptions struct {
	NumThresholds   int       `option:"num_thresholds" default:"200" most:"1000000"`
	Curve           string    `option:"curve" default:"ROC" oneof:"ROC PR PRGAIN"`
	SummationMethod string    `option:"summation_method" default:"interpolation" oneof:"interpolation minoring majoring"`
	Thresholds      []float64 `option:"thresholds" want:"fraction"`
	MultiLabel      bool      `option:"multi_label"`
	NumLabels       *int      `option:"num_labels" want:"positive"`
	LabelWeights    []float64 `option:"label_weights" want:"notNegative"`
	logitOptions
}

// scoreOptions holds the options of F1Score: Average ("" for none) and Threshold (nil for the
// largest prediction).
type scoreOptions struct {
	Average   textOrNone `option:"average" oneof:"'' micro macro weighted"`
	Threshold *float64   `option:"threshold" want:"fraction"`
}

// betaOptions holds the options of FBetaScore: Average, Threshold and Beta.
type betaOptions struct {
	scoreOptions
	Beta float64 `option:"beta" default:"1" want:"positive"`
}

// r2Options holds the options of R2Score: how outputs are combined, and the number of regressors.
type r2Options struct {
	ClassAggregation textOrNone `option:"class_aggregation" default:"uniform_average" oneof:"'' uniform_average variance_weighted_average"`
	NumRegressors    int        `option:"num_regressors" want:"notNegative"`
}

// overlapOptions holds the options that IoU, MeanIoU, OneHotIoU and OneHotMeanIoU all have: the
// number of classes, the class that is ignored (nil for none), and the dimension of classes.
type overlapOptions struct {
	NumClasses  int  `argument:"num_classes" want:"positive"`
	IgnoreClass *int `option:"ignore_class"`
	Axis        int  `option:"axis" default:"-1"`
}

// oneHotOptions holds the options of OneHotMeanIoU: whether predictions are class numbers, and
// those in overlapOptions.
type oneHotOptions struct {
	SparseYPred bool `option:"sparse_y_pred"`
	overlapOptions
}

// sparseOptions holds the options of MeanIoU: whether labels and predictions are class numbers, and
// those in overlapOptions.
type sparseOptions struct {
	SparseYTrue bool `option:"sparse_y_true" default:"true"`
	SparseYPred bool `option:"sparse_y_pred" default:"true"`
	overlapOptions
}

// targetOptions holds the classes that OneHotIoU and IoU average over.
type targetOptions struct {
	TargetClassIDs []int `argument:"target_class_ids" want:"notNegative"`
}

// binaryOverlapOptions holds the options of BinaryIoU: the classes, 0 and 1 by default, and the
// threshold.
type binaryOverlapOptions struct {
	TargetClassIDs []int   `option:"target_class_ids" default:"[0, 1]" want:"notNegative"`
	Threshold      float64 `option:"threshold" default:"0.5" want:"fraction"`
}

// textOrNone is the value of an option that is a text; the empty one is None in configs.
type textOrNone string

// Assign sets the text to v, a text or nil. Others are errors.
func (t *textOrNone) Assign(v any) error {
	text, ok := v.(string)
	if !ok && v != nil {
		return fmt.Errorf("got %s, want a text", brief.Value(v))
	}
	*t = textOrNone(text)
	return nil
}

// Read returns the text, or nil for the empty one.
func (t *textOrNone) Read() any {
	if *t == "" {
		return nil
	}
	return string(*t)
}

// Name sets the name of the metric, under which logs have its result.
func Name(name string) Option { return set("Name", name) }

// Threshold sets a value in [0, 1]. For BinaryAccuracy and the F scores, a prediction is positive
// above this value, and for BinaryIoU from this value on. The default is 0.5. Without it, the F
// scores take the largest prediction of each sample as positive. Other values are errors.
func Threshold(x float64) Option { return set("Threshold", x) }

// Thresholds sets several thresholds in [0, 1]; others are errors. It is for Precision, Recall and
// the counts such as TruePositives: their result then has a number for each. AUC takes them in
// place of NumThresholds, for its one number.
func Thresholds(x ...float64) Option { return set("Thresholds", x) }

// K sets how many of the largest predictions count for TopKCategoricalAccuracy and
// SparseTopKCategoricalAccuracy: 5 by default. A number below 1 is an error.
func K(k int) Option { return set("K", k) }

// TopK makes Precision and Recall treat the k largest predictions of each sample as positive, in
// place of those above 0.5. With Thresholds they must be above the threshold too. A k below 1 is an
// error.
func TopK(k int) Option { return set("TopK", k) }

// ClassID makes Precision, Recall, and metrics such as PrecisionAtRecall, count one class only, the
// one with this number. By default they count all. A negative number is an error.
func ClassID(class int) Option { return set("ClassID", class) }

// FromLogits says that the predictions of AUC or of a cross-entropy are logits. Without it they are
// probabilities.
func FromLogits() Option { return set("FromLogits", true) }

// FromSortedIDs says that the predictions of SparseTopKCategoricalAccuracy are numbers of classes,
// the most likely first. Without it they are values of the classes.
func FromSortedIDs() Option { return set("FromSortedIDs", true) }

// LabelSmoothing moves the labels of BinaryCrossentropy towards 1/2, and those of
// CategoricalCrossentropy towards equal values for all classes, by the fraction x:
// losses.LabelSmoothing. It is 0 by default. A number outside [0, 1] is an error.
func LabelSmoothing(x float64) Option { return set("LabelSmoothing", x) }

// IgnoreClass makes the metrics of intersection over union, except BinaryIoU, ignore the elements
// whose label is this class. In SparseCategoricalCrossentropy such elements have the loss 0; as in
// Keras they still count in the mean, unless there are sample weights. By default no class is
// ignored.
func IgnoreClass(class int) Option { return set("IgnoreClass", class) }

// Axis sets the dimension of the classes for cross-entropies and intersection over union, and the
// one that CosineSimilarity and the correlations reduce: -1 (the last one) by default. Negative
// numbers count from the end.
func Axis(axis int) Option { return set("Axis", axis) }

// NumThresholds sets how many thresholds AUC and metrics such as PrecisionAtRecall use, evenly
// distributed over [0, 1]: 200 by default. A number outside [1, 1000000] is an error, and so is 1
// for AUC.
func NumThresholds(n int) Option { return set("NumThresholds", n) }

// Curve sets the curve of AUC: "ROC" (the default), "PR" or "PRGAIN". Others are errors.
func Curve(curve string) Option { return set("Curve", curve) }

// SummationMethod sets how AUC sums the area between points: "interpolation" (the default),
// "minoring" or "majoring". Others are errors.
func SummationMethod(method string) Option { return set("SummationMethod", method) }

// MultiLabel makes AUC compute an area for each label of predictions (batch, labels), and return
// their mean, weighted by LabelWeights if they are given.
func MultiLabel() Option { return set("MultiLabel", true) }

// NumLabels sets the number of labels of an AUC with MultiLabel. Without that, or below 1, it is an
// error. It changes no result: the number is that of the predictions.
func NumLabels(n int) Option { return set("NumLabels", n) }

// LabelWeights sets the weights of the labels of an AUC, one for each. By default all count
// equally. A negative weight, and predictions of another number of labels, are errors.
func LabelWeights(weights ...float64) Option { return set("LabelWeights", weights) }

// Average sets how an F score is averaged over classes: "micro", "macro", "weighted" or "", the
// default: a number for each class. Others are errors.
func Average(average string) Option { return set("Average", average) }

// Beta sets how many times as much as precision recall counts in FBetaScore: 1 by default. A number
// that is not positive is an error.
func Beta(beta float64) Option { return set("Beta", beta) }

// TargetClassIDs sets the classes whose IoU BinaryIoU averages: 0 and 1 by default. Other numbers
// are errors.
func TargetClassIDs(ids ...int) Option { return set("TargetClassIDs", ids) }

// SparseYTrue sets whether the labels of IoU and MeanIoU are class numbers (true, the default) or
// one-hot.
func SparseYTrue(sparse bool) Option { return set("SparseYTrue", sparse) }

// SparseYPred sets whether predictions are class numbers (true; the default of IoU and MeanIoU) or
// have a value for each class (false; that of the one-hot metrics).
func SparseYPred(sparse bool) Option { return set("SparseYPred", sparse) }

// ClassAggregation sets how R2Score combines outputs: "uniform_average" (the default),
// "variance_weighted_average" or "", which keeps a number for each. Others are errors.
func ClassAggregation(how string) Option { return set("ClassAggregation", how) }

// NumRegressors sets the number of independent variables for the adjusted R2Score; 0, the default,
// does not adjust it. A negative number is an error.
func NumRegressors(n int) Option { return set("NumRegressors", n) }

// Config returns Keras' name of the class, such as BinaryAccuracy, and the options as
// Keras' get_config names them. class is empty for a metric of the user's own.
func (m *Metric) Config() (class string, config map[string]any) {
	if m.class == "" {
		return "", nil
	}
	return m.class, option.Config(&m.common, m.options)
}

// FromConfig returns the metric of a class of Keras with the options of its config, as JSON has
// them. Unknown classes and options are errors.
func FromConfig(class string, config map[string]any) (*Metric, error) {
	i := slices.IndexFunc(classes, func(c metricClass) bool { return c.class == class })
	if i < 0 {
		return nil, unknown(class)
	}
	opts, err := option.FromConfig(config, set, &common{}, classes[i].make().options)
	if err != nil {
		return nil, fmt.Errorf("metric %s: %w", class, err)
	}
	m := classes[i].make(opts...)
	return m, m.err
}
