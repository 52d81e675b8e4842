// Package metrics holds Keras' metrics: keras.metrics in Go.
//
// A metric keeps its totals in variables, which live on the devices and are
// updated inside the compiled step; only a result that is shown is fetched.
//
// It does not decide when totals are reset: package keras does, at the start
// of each epoch.
//
// Order of use: Check when a model is compiled, Get once shapes are known,
// Build, then Update and Result while tracing.
//
//	file          what it holds
//	metrics.go    Metric: a running weighted mean
//	names.go      Check, Get: metrics by name
//	accuracy.go   the accuracies
package metrics
