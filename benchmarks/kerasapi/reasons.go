package main

// This file says why names of Keras are not here.

import (
	"fmt"
	"slices"
	"strings"
)

// reason is why some names of a module are not here.
type reason struct{ module, why, names string }

// reasons have all names of other modules than ops; of ops, what no reason names is not here yet.
var reasons = []reason{
	{"layers", "they run code of other frameworks", "FlaxLayer JaxLayer TFSMLayer TorchModuleWrapper"},
	{"callbacks", "it writes the format of Orbax; `BackupAndRestore` and package checkpoint keep sharded states here", "OrbaxCheckpoint"},

	{"ops", "they are layers or losses here", "adaptive_average_pool adaptive_max_pool average_pool batch_normalization binary_crossentropy categorical_crossentropy conv conv_transpose ctc_loss depthwise_conv dot_product_attention layer_normalization max_pool rms_normalization separable_conv sparse_categorical_crossentropy"},
	{"ops", "they take functions of Python, and a graph of layers has none: a layer of one's own has `trace.Scan` and GoMLX's `While` and `If`", "associative_scan cond custom_gradient fori_loop jvp map scan switch vectorize vectorized_map while_loop"},
	{"ops", "they are asked of arrays, and tensors of a graph have no values; `Shape` and `DType` are methods", "allclose array convert_to_numpy convert_to_tensor copy dtype empty empty_like is_tensor ndim shape size"},
	{"ops", "they make constants, which are operands of Go here", "arange bartlett blackman eye full geomspace hamming hanning identity kaiser linspace logspace meshgrid ones tri vander zeros"},
	{"ops", "the shape of the result depends on values", "nonzero unique"},
	{"ops", "GoMLX has no factorizations of matrices", "cholesky cholesky_inverse det eig eigh inv logdet lstsq lu_factor matrix_rank pinv qr slogdet solve solve_triangular svd"},
	{"ops", "tensors of a model are not complex", "angle conj conjugate imag isreal polar real view_as_complex view_as_real"},
}

// notHere lists missing names of a module, each with its reason.
func notHere(module string, missing []string) string {
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
