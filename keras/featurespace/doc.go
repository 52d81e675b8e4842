// Package featurespace prepares structured data: keras.utils.FeatureSpace. It says of each column
// of a table what it is, adapts to the table, and encodes the columns side by side:
//
//	space, err := featurespace.New(map[string]featurespace.Feature{
//		"sex":  featurespace.IntegerCategorical(layers.OOVIndices(0)),
//		"thal": featurespace.StringCategorical(),
//		"age":  featurespace.FloatDiscretized(layers.NumBins(30)),
//		"chol": featurespace.FloatNormalized(),
//	}, featurespace.Crosses([]string{"sex", "age"}))
//	err = space.Adapt(table)
//	encoded, err := space.EncodedFeatures()
//	x := encoded.Apply(layers.Dense(32, layers.Activation("relu")))
//	model, err := keras.NewModel(space.Inputs(), keras.Tensors(x))
//
// The model takes the raw table, as a map of columns or a dataset of such maps: lookups and
// crosses run on the host, as batches are loaded.
//
// It is not for texts of several words: those go through layers.TextVectorization.
//
// Order of use: New, Adapt, then EncodedFeatures (or EncodedDict) and Inputs for a model, or Call
// for numbers.
//
//	file        what it holds
//	feature.go  Feature: what a column is, and the layer that prepares it
//	space.go    FeatureSpace: Adapt, the encoded features
package featurespace
