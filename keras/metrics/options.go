package metrics

// This file defines the options of metrics. Config and FromConfig write and read them under Keras'
// names.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/internal/option"
)

// config holds the values of the options and arguments.
type config struct {
	name                                     string
	threshold                                *float64
	thresholds                               []float64
	k                                        int
	topK, classID, ignoreClass, numLabels    *int
	fromLogits, fromSortedIDs, multiLabel    bool
	labelSmoothing, beta, value              float64
	axis                                     option.Ints
	numThresholds, numClasses, numRegressors int
	curve, summation, average, aggregation   string
	labelWeights                             []float64
	targets                                  []int
	sparseTrue, sparsePred                   bool
}

// Option configures a metric. A metric takes Name and the options that its doc comment
// names.
type Option struct{ setting }

// setting is what an option sets.
type setting = option.Option[config]

// settings are the options, and the arguments of constructors.
var settings = option.Table[config]{
	{Option: "Name", Key: "name", Field: func(c *config) any { return &c.name }},
	{Option: "Threshold", Key: "threshold", Field: func(c *config) any { return &c.threshold }, Check: option.Fraction},
	{Option: "Thresholds", Key: "thresholds", Field: func(c *config) any { return &c.thresholds }, Check: option.Fraction},
	{Option: "K", Key: "k", Field: func(c *config) any { return &c.k }, Check: option.Positive},
	{Option: "TopK", Key: "top_k", Field: func(c *config) any { return &c.topK }, Check: option.Positive},
	{Option: "ClassID", Key: "class_id", Field: func(c *config) any { return &c.classID }, Check: option.NotNegative},
	{Option: "FromLogits", Key: "from_logits", Field: func(c *config) any { return &c.fromLogits }},
	{Option: "FromSortedIDs", Key: "from_sorted_ids", Field: func(c *config) any { return &c.fromSortedIDs }},
	{Option: "LabelSmoothing", Key: "label_smoothing", Field: func(c *config) any { return &c.labelSmoothing }, Check: option.Fraction},
	{Option: "IgnoreClass", Key: "ignore_class", Field: func(c *config) any { return &c.ignoreClass }},
	{Option: "Axis", Key: "axis", Field: func(c *config) any { return &c.axis }},
	{Option: "NumThresholds", Key: "num_thresholds", Field: func(c *config) any { return &c.numThresholds }, Check: option.Positive},
	{Option: "Curve", Key: "curve", Field: func(c *config) any { return &c.curve }, Check: option.OneOf("ROC", "PR", "PRGAIN")},
	{Option: "SummationMethod", Key: "summation_method", Field: func(c *config) any { return &c.summation }, Check: option.OneOf("interpolation", "minoring", "majoring")},
	{Option: "MultiLabel", Key: "multi_label", Field: func(c *config) any { return &c.multiLabel }},
	{Option: "NumLabels", Key: "num_labels", Field: func(c *config) any { return &c.numLabels }, Check: option.Positive},
	{Option: "LabelWeights", Key: "label_weights", Field: func(c *config) any { return &c.labelWeights }, Check: option.NotNegative},
	{Option: "Average", Key: "average", Field: func(c *config) any { return &c.average }, Check: option.OneOf("", "micro", "macro", "weighted")},
	{Option: "Beta", Key: "beta", Field: func(c *config) any { return &c.beta }, Check: option.Positive},
	{Option: "NumClasses", Key: "num_classes", Field: func(c *config) any { return &c.numClasses }, Check: option.Positive},
	{Option: "TargetClassIDs", Key: "target_class_ids", Field: func(c *config) any { return &c.targets }, Check: option.NotNegative},
	{Option: "SparseYTrue", Key: "sparse_y_true", Field: func(c *config) any { return &c.sparseTrue }},
	{Option: "SparseYPred", Key: "sparse_y_pred", Field: func(c *config) any { return &c.sparsePred }},
	{Option: "ClassAggregation", Key: "class_aggregation", Field: func(c *config) any { return &c.aggregation }, Check: option.OneOf("", "uniform_average", "variance_weighted_average")},
	{Option: "NumRegressors", Key: "num_regressors", Field: func(c *config) any { return &c.numRegressors }, Check: option.NotNegative},
	{Option: "Specificity", Key: "specificity", Field: func(c *config) any { return &c.value }, Check: option.Fraction},
	{Option: "Sensitivity", Key: "sensitivity", Field: func(c *config) any { return &c.value }, Check: option.Fraction},
	{Option: "Recall", Key: "recall", Field: func(c *config) any { return &c.value }, Check: option.Fraction},
	{Option: "Precision", Key: "precision", Field: func(c *config) any { return &c.value }, Check: option.Fraction},
}

// Name names the metric.
func Name(name string) Option { return Option{settings.With("Name", name)} }

// Threshold sets the value in [0, 1] above which a prediction is positive: 0.5 by default. Without
// it, the F scores take the largest prediction of each sample as positive.
func Threshold(x float64) Option { return Option{settings.With("Threshold", x)} }

// Thresholds sets several thresholds. The result of the metric then has a number for each.
func Thresholds(x ...float64) Option { return Option{settings.With("Thresholds", x)} }

// K sets how many of the largest predictions count: 5 by default.
func K(k int) Option { return Option{settings.With("K", k)} }

// TopK makes Precision and Recall treat the k largest predictions of each sample as positive.
func TopK(k int) Option { return Option{settings.With("TopK", k)} }

// ClassID makes a metric count one class only.
func ClassID(class int) Option { return Option{settings.With("ClassID", class)} }

// FromLogits says that predictions are logits, not probabilities.
func FromLogits() Option { return Option{settings.With("FromLogits", true)} }

// FromSortedIDs says that predictions are numbers of classes, the most likely first.
func FromSortedIDs() Option { return Option{settings.With("FromSortedIDs", true)} }

// LabelSmoothing is losses.LabelSmoothing.
func LabelSmoothing(x float64) Option { return Option{settings.With("LabelSmoothing", x)} }

// IgnoreClass makes a metric ignore the samples of a class.
func IgnoreClass(class int) Option { return Option{settings.With("IgnoreClass", class)} }

// Axis sets the dimension that a metric works along, -1 (the last one) by default.
func Axis(axis int) Option { return Option{settings.With("Axis", axis)} }

// NumThresholds sets how many thresholds a curve has: 200 by default.
func NumThresholds(n int) Option { return Option{settings.With("NumThresholds", n)} }

// Curve sets the curve of AUC: "ROC" (the default), "PR" or "PRGAIN".
func Curve(curve string) Option { return Option{settings.With("Curve", curve)} }

// SummationMethod sets how AUC sums the area between points: "interpolation" (the default),
// "minoring" or "majoring".
func SummationMethod(method string) Option { return Option{settings.With("SummationMethod", method)} }

// MultiLabel makes AUC compute an area for each label, and return their mean.
func MultiLabel() Option { return Option{settings.With("MultiLabel", true)} }

// NumLabels sets the number of labels of an AUC with MultiLabel. By default it is that of the
// predictions.
func NumLabels(n int) Option { return Option{settings.With("NumLabels", n)} }

// LabelWeights sets the weights of the labels of an AUC.
func LabelWeights(weights ...float64) Option { return Option{settings.With("LabelWeights", weights)} }

// Average sets how an F score is averaged over classes: "micro", "macro", "weighted" or "", the
// default: a number for each class.
func Average(average string) Option { return Option{settings.With("Average", average)} }

// Beta sets how much more recall counts than precision in FBetaScore: 1 by default.
func Beta(beta float64) Option { return Option{settings.With("Beta", beta)} }

// TargetClassIDs sets the classes of BinaryIoU: 0 and 1 by default.
func TargetClassIDs(ids ...int) Option { return Option{settings.With("TargetClassIDs", ids)} }

// SparseYTrue sets whether labels are class numbers (true) or one-hot.
func SparseYTrue(sparse bool) Option { return Option{settings.With("SparseYTrue", sparse)} }

// SparseYPred sets whether predictions are class numbers (true) or probabilities.
func SparseYPred(sparse bool) Option { return Option{settings.With("SparseYPred", sparse)} }

// ClassAggregation sets how R2Score combines outputs: "uniform_average" (the default),
// "variance_weighted_average" or "", which keeps a number for each.
func ClassAggregation(how string) Option { return Option{settings.With("ClassAggregation", how)} }

// NumRegressors sets the number of independent variables for the adjusted R2Score.
func NumRegressors(n int) Option { return Option{settings.With("NumRegressors", n)} }

// Config returns Keras' name of the class, such as BinaryAccuracy, and the options as
// Keras' get_config names them. class is empty for a metric of the user's own.
func (m *Metric) Config() (class string, config map[string]any) {
	if m.class == "" {
		return "", nil
	}
	config = settings.Config(&m.options, m.accepts)
	for _, key := range []string{"average", "class_aggregation"} {
		if config[key] == "" {
			config[key] = nil
		}
	}
	return m.class, config
}

// FromConfig returns the metric of a class of Keras with the options of its config, as
// JSON has them.
func FromConfig(class string, config map[string]any) (*Metric, error) {
	i := slices.IndexFunc(classes, func(c metricClass) bool { return c.class == class })
	if i < 0 {
		return nil, unknown(class)
	}
	set, err := settings.Options(config, classes[i].make().accepts)
	if err != nil {
		return nil, fmt.Errorf("metric %s: %w", class, err)
	}
	opts := make([]Option, len(set))
	for i, o := range set {
		opts[i] = Option{o}
	}
	m := classes[i].make(opts...)
	return m, m.err
}
