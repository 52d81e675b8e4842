package metrics

// This file lists the metrics of Keras, and finds them by name.

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"

	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/autoname"
	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/keras/losses"
)

// metricClass describes a metric: Keras' name of the class, its other names, and the constructor.
// The first other name is the metric's name.
type metricClass struct {
	class    string
	names    []string
	make     func(...Option) *Metric
	numbered bool // Keras numbers the default names: auc, auc_1
	// the Go call that makes the metric, for messages, if its constructor takes arguments
	needs  string
	values bool // it takes values, not labels and predictions
}

// classes lists the metrics of Keras. init fills it, because the constructors read it.
var classes []metricClass

func init() {
	classes = []metricClass{
		{class: "AUC", make: AUC, numbered: true},
		{class: "Accuracy", names: []string{"accuracy"}, make: Accuracy},
		{class: "BinaryAccuracy", make: BinaryAccuracy},
		{class: "BinaryCrossentropy", names: []string{"binary_crossentropy", "bce", "BCE"}, make: BinaryCrossentropy},
		{class: "BinaryIoU", names: []string{"binary_io_u"}, make: BinaryIoU, numbered: true},
		{class: "CategoricalAccuracy", make: CategoricalAccuracy},
		{class: "CategoricalCrossentropy", make: CategoricalCrossentropy},
		{class: "CategoricalHinge", make: CategoricalHinge},
		{class: "ConcordanceCorrelation", make: ConcordanceCorrelation},
		{class: "CosineSimilarity", make: CosineSimilarity},
		{class: "F1Score", names: []string{"f1_score"}, make: F1Score},
		{class: "FBetaScore", names: []string{"fbeta_score", "f_beta_score"}, make: FBetaScore},
		{class: "FalseNegatives", make: FalseNegatives, numbered: true},
		{class: "FalsePositives", make: FalsePositives, numbered: true},
		{class: "Hinge", make: Hinge},
		{class: "IoU", names: []string{"io_u"}, make: iouWith, numbered: true, needs: "metrics.IoU(numClasses, targetClassIDs)"},
		{class: "KLDivergence", names: []string{"kl_divergence"}, make: KLDivergence},
		{class: "LogCoshError", names: []string{"logcosh", "log_cosh_error"}, make: LogCoshError},
		{class: "Mean", make: Mean, values: true},
		{class: "MeanAbsoluteError", names: []string{"mean_absolute_error", "mae", "MAE"}, make: MeanAbsoluteError},
		{class: "MeanAbsolutePercentageError", names: []string{"mean_absolute_percentage_error", "mape", "MAPE"}, make: MeanAbsolutePercentageError},
		{class: "MeanIoU", names: []string{"mean_io_u"}, make: meanIoUWith, numbered: true, needs: "metrics.MeanIoU(numClasses)"},
		{class: "MeanSquaredError", names: []string{"mean_squared_error", "mse", "MSE"}, make: MeanSquaredError},
		{class: "MeanSquaredLogarithmicError", names: []string{"mean_squared_logarithmic_error", "msle", "MSLE"}, make: MeanSquaredLogarithmicError},
		{class: "OneHotIoU", names: []string{"one_hot_io_u"}, make: oneHotIoUWith, numbered: true, needs: "metrics.OneHotIoU(numClasses, targetClassIDs)"},
		{class: "OneHotMeanIoU", names: []string{"one_hot_mean_io_u"}, make: oneHotMeanIoUWith, numbered: true, needs: "metrics.OneHotMeanIoU(numClasses)"},
		{class: "PearsonCorrelation", make: PearsonCorrelation},
		{class: "Poisson", make: Poisson},
		{class: "Precision", make: Precision, numbered: true},
		{class: "PrecisionAtRecall", make: precisionAtRecallWith, numbered: true, needs: "metrics.PrecisionAtRecall(recall)"},
		{class: "R2Score", names: []string{"r2_score"}, make: R2Score},
		{class: "Recall", make: Recall, numbered: true},
		{class: "RecallAtPrecision", make: recallAtPrecisionWith, numbered: true, needs: "metrics.RecallAtPrecision(precision)"},
		{class: "RootMeanSquaredError", make: RootMeanSquaredError},
		{class: "SensitivityAtSpecificity", make: sensitivityAtSpecificityWith, numbered: true, needs: "metrics.SensitivityAtSpecificity(specificity)"},
		{class: "SparseCategoricalAccuracy", make: SparseCategoricalAccuracy},
		{class: "SparseCategoricalCrossentropy", make: SparseCategoricalCrossentropy},
		{class: "SparseTopKCategoricalAccuracy", names: []string{"sparse_top_k_categorical_accuracy"}, make: SparseTopKCategoricalAccuracy},
		{class: "SpecificityAtSensitivity", make: specificityAtSensitivityWith, numbered: true, needs: "metrics.SpecificityAtSensitivity(sensitivity)"},
		{class: "SquaredHinge", make: SquaredHinge},
		{class: "Sum", make: Sum, values: true},
		{class: "TopKCategoricalAccuracy", names: []string{"top_k_categorical_accuracy"}, make: TopKCategoricalAccuracy},
		{class: "TrueNegatives", make: TrueNegatives, numbered: true},
		{class: "TruePositives", make: TruePositives, numbered: true},
	}
	for i, c := range classes {
		if c.names == nil {
			classes[i].names = []string{autoname.Snake(c.class)}
		}
	}
}

// Names returns the names that Get accepts, of classes and short ones, in alphabetical order.
func Names() []string {
	names := []string{"acc"}
	for _, c := range classes {
		if c.needs == "" && !c.values {
			names = append(append(names, c.class), c.names...)
		}
	}
	slices.Sort(names)
	return names
}

func unknown(name string) error {
	return fmt.Errorf("unknown metric %q: want a metrics.Metric, a losses.Loss, a function or a name of metrics.Names%s", name, suggest.Closest(name, Names(), ""))
}

// classOf returns the class of metrics with the name, Keras' or a short one; false if there is
// none.
func classOf(name string) (metricClass, bool) {
	for _, c := range classes {
		if name == c.class || slices.Contains(c.names, name) {
			return c, true
		}
	}
	return metricClass{}, false
}

// Check returns an error if the metric, which Compile gets or which is to be updated with labels
// and predictions, is not valid or takes no labels, as a Mean. It does not need the shapes.
func Check(metric any) error {
	if m, ok := metric.(*Metric); ok && m != nil && m.err == nil {
		if c, known := classOf(m.class); known && c.values {
			return errValues(c.class)
		}
	}
	return check(metric)
}

// errValues returns the error of a metric of that class, Mean or Sum, which takes no labels and
// predictions.
func errValues(class string) error {
	return fmt.Errorf("metric %s takes values, not labels and predictions, as in Keras: give a function of labels and predictions (metrics.Func), or update it by UpdateValues (in a step of your own: keras.Step.UpdateValues)", class)
}

// check returns the error that Get returns for a metric (a function, a loss, a Metric or a name),
// nil if it is valid.
func check(metric any) error {
	switch m := metric.(type) {
	case Func, func(yTrue, yPred *g.Node) *g.Node:
		if reflect.ValueOf(metric).IsNil() {
			return fmt.Errorf("metric is a function that is nil: want one of labels and predictions")
		}
		return nil
	case *losses.Loss:
		_, err := losses.Get(m)
		return err
	case *Metric:
		if err := made.Check("the metric", m, "make one such as metrics.Accuracy(), or give a name such as \"accuracy\""); err != nil {
			return err
		}
		return m.err
	case string:
		switch c, ok := classOf(m); {
		case ok && c.values:
			return errValues(c.class)
		case ok && c.needs != "":
			return fmt.Errorf("metric %s takes an argument: give %s instead of the name", m, c.needs)
		case ok || m == "acc":
			return nil
		}
		return unknown(m)
	default:
		return fmt.Errorf("metric is a %T: want a name such as \"accuracy\", a metrics.Metric, a losses.Loss or a metrics.Func", metric)
	}
}

// Get returns the metric of a name, or a *Metric as it is. yTrue and yPred are the shapes of labels
// and predictions. As in Keras, "accuracy" and "acc" are binary, categorical or sparse categorical
// accuracy, depending on them. A Func becomes the mean of its values. Its name is that of the Go
// function as Python writes names: topError becomes top_error. A *losses.Loss becomes the mean of
// its values, with its name. Unknown names and wrong options are errors.
func Get(metric any, yTrue, yPred []int) (*Metric, error) {
	if err := check(metric); err != nil {
		return nil, err
	}
	switch m := metric.(type) {
	case *Metric:
		return m, nil
	case *losses.Loss:
		return New(m.Name(), m.Call), nil
	case Func:
		return New(NameOfFunc(m), m), nil
	case func(yTrue, yPred *g.Node) *g.Node:
		return New(NameOfFunc(m), m), nil
	}
	name := metric.(string)
	if name == "acc" || name == "accuracy" {
		return accuracyFor(yTrue, yPred)(Name(name)), nil
	}
	c, _ := classOf(name)
	return c.make(Name(name)), nil
}

// NameOfFunc returns the name of a Go function in snake case, or "metric" if it has no name.
func NameOfFunc(f any) string {
	name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name() // package.Type.method-fm, package.outer.func1
	name = strings.TrimSuffix(name[strings.LastIndexByte(name, '.')+1:], "-fm")
	if closure := strings.TrimLeft(strings.TrimPrefix(name, "func"), "0123456789"); closure == "" {
		return "metric"
	}
	return autoname.Snake(name)
}

// accuracyFor returns the constructor of Keras' accuracy for labels and predictions of these
// shapes: binary for one prediction, sparse categorical for class numbers, and otherwise
// categorical.
func accuracyFor(yTrue, yPred []int) func(...Option) *Metric {
	if len(yTrue) == 0 || len(yPred) == 0 {
		return CategoricalAccuracy
	}
	lastTrue, lastPred := yTrue[len(yTrue)-1], yPred[len(yPred)-1]
	switch {
	case lastPred == 1:
		return BinaryAccuracy
	case len(yTrue) < len(yPred) || lastTrue == 1:
		return SparseCategoricalAccuracy
	default:
		return CategoricalAccuracy
	}
}

// These metrics are means of losses. Options: Name, and the options of the loss that are listed.
var (
	BinaryCrossentropy            = lossMetric[binaryEntropyOptions]("BinaryCrossentropy", "BinaryCrossentropy")
	CategoricalCrossentropy       = lossMetric[entropyOptions]("CategoricalCrossentropy", "CategoricalCrossentropy")
	CategoricalHinge              = lossMetric[noOptions]("CategoricalHinge", "CategoricalHinge")
	Hinge                         = lossMetric[noOptions]("Hinge", "Hinge")
	KLDivergence                  = lossMetric[noOptions]("KLDivergence", "KLDivergence")
	LogCoshError                  = lossMetric[noOptions]("LogCoshError", "LogCosh")
	MeanAbsoluteError             = lossMetric[noOptions]("MeanAbsoluteError", "MeanAbsoluteError")
	MeanAbsolutePercentageError   = lossMetric[noOptions]("MeanAbsolutePercentageError", "MeanAbsolutePercentageError")
	MeanSquaredError              = lossMetric[noOptions]("MeanSquaredError", "MeanSquaredError")
	MeanSquaredLogarithmicError   = lossMetric[noOptions]("MeanSquaredLogarithmicError", "MeanSquaredLogarithmicError")
	Poisson                       = lossMetric[noOptions]("Poisson", "Poisson")
	SparseCategoricalCrossentropy = lossMetric[sparseEntropyOptions]("SparseCategoricalCrossentropy", "SparseCategoricalCrossentropy")
	SquaredHinge                  = lossMetric[noOptions]("SquaredHinge", "SquaredHinge")
)
