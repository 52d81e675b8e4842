package main

// This file has the reasons why gospmd lacks names of Keras.

import (
	"fmt"
	"slices"
	"strings"
)

// reason says why gospmd lacks some names of a module: names has them, with spaces between.
type reason struct{ module, why, names string }

// reasons contains the names that gospmd lacks for a reason.
var reasons = []reason{
	{"layers", "they run code of other frameworks", "FlaxLayer JaxLayer TFSMLayer TorchModuleWrapper"},
	{"callbacks", "it writes the format of Orbax; `BackupAndRestore` and package checkpoint keep sharded states here", "OrbaxCheckpoint"},

	{"initializers", "it makes the kernels of a convolution; the layer `STFTSpectrogram` computes the transform itself", "STFT"},

	{"random", "JAX draws these numbers by loops of several methods; a sum of `random.TracedKey.Bernoulli` has the distribution", "binomial"},

	{"ops", "the shape of the result depends on values", "nonzero unique"},
	{"ops", "eigenvalues of matrices that are not symmetric are complex, and Keras on JAX has them on CPUs only; `Eigh` is here", "eig"},
}

// listMissing returns Markdown lines with the missing names of a module, grouped by reason; those
// without a reason come last.
func listMissing(module string, missing []string) string {
	var out strings.Builder
	left := slices.Clone(missing)
	for _, r := range reasons {
		names := strings.Fields(r.names)
		var its []string
		left = slices.DeleteFunc(left, func(name string) bool {
			found := r.module == module && slices.Contains(names, name)
			if found {
				its = append(its, name)
			}
			return found
		})
		if len(its) > 0 {
			fmt.Fprintf(&out, "\nNot here (%s): `%s`\n", r.why, strings.Join(its, "`, `"))
		}
	}
	if len(left) > 0 {
		fmt.Fprintf(&out, "\nNot here yet: `%s`\n", strings.Join(left, "`, `"))
	}
	return out.String()
}
