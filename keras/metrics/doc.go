// Package metrics holds Keras' metrics: keras.metrics in Go.
//
// A metric keeps its totals in variables on the devices, which the compiled step
// updates. A result is fetched only when it is shown.
//
// It does not reset totals: package keras does, at the start of each epoch.
//
// Order of use: Check when a model is compiled, Get once shapes are known,
// Build, then Update and Result while tracing.
//
//	file        what it holds
//	metrics.go  Metric: a running weighted mean; Check, Get: metrics by name; the accuracies
package metrics
