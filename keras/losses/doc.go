// Package losses holds Keras' loss functions: keras.losses in Go.
//
// A loss computes a value for each sample on GoMLX nodes. Value makes them the scalar
// that is trained on, with sample weights and masks.
//
// It does not hold metrics, which are averaged over batches: see package metrics.
//
// Order of use in a program: make a Loss, such as losses.Huber(losses.Delta(2)), and pass it or its
// name to keras.Loss, an option of Compile. Package keras then calls Get, which takes either, and
// Value while tracing. FromConfig makes a loss from its config in a file.
//
//	file               what it holds
//	losses.go          Loss, Get
//	options.go         the options of losses; Config, FromConfig
//	labels.go          the check of labels' shapes
//	reduction.go       Value; masks, sample weights and how losses are reduced: ApplyMask, SpreadWeights
//	regression.go      the losses of regression
//	classification.go  the cross-entropies and the hinge losses
//	focal.go           BinaryFocalCrossentropy, CategoricalFocalCrossentropy, CategoricalGeneralizedCrossEntropy
//	overlap.go         Dice, Tversky, Circle
//	ctc.go             CTC
package losses
