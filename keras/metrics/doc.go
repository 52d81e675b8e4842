// Package metrics holds Keras' metrics: keras.metrics in Go.
//
// A metric keeps its state in variables on the devices, which the compiled step
// updates. A result is fetched only when it is shown.
//
// It does not reset states: package keras does, at the start of each epoch.
//
// Order of use in a program: make a Metric and pass it or its name to keras.Metrics, an option of
// Compile. Package keras then calls Check when a model is compiled, Get once shapes are known,
// Build, and Update and Result while tracing. FromConfig makes a metric from its config in a file.
//
//	file           what it holds
//	metrics.go     Metric, its state, New and NewStateful for metrics of your own
//	options.go     the options of metrics; Config, FromConfig
//	classes.go     the metrics by name: Check, Get; functions and losses as metrics; those that are means of losses
//	labels.go      checks of the shapes of labels
//	mean.go        running means and sums: Mean, Sum
//	accuracy.go    the accuracies
//	regression.go  RootMeanSquaredError, CosineSimilarity, the correlations, R2Score
//	confusion.go   counts at thresholds, Precision, Recall
//	curves.go      AUC, SensitivityAtSpecificity, PrecisionAtRecall and the like
//	fscore.go      F1Score, FBetaScore
//	iou.go         IoU, MeanIoU, BinaryIoU, OneHotIoU, OneHotMeanIoU
package metrics
