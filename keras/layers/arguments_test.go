package layers_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras/layers"
)

// refused are arguments of Keras' constructors that layers here do not have, with the
// reason. A file in which one is set is refused.
var refused = map[string]string{
	"sparse":              "tensors are dense",
	"ragged":              "tensors are dense",
	"quantization_config": "quantized training is not here",

	"gptq_unpacked_column_size": "see quantization_config",
}

// notWritten has arguments that get_config of Keras does not write, so that no file has them, each
// with the reason.
var notWritten = map[string]string{
	"weights":         "the first value of a variable: assign it",
	"flash_attention": "how Keras computes attention, not what",
	"use_cudnn":       "how Keras computes a loop on GPUs, not what",
}

// Each constructor argument of each supported layer is read from files, or else its file is
// refused: none is ignored. The arguments come from Keras, in testdata. What is read is written
// too, because one table does both.
func TestArguments(t *testing.T) {
	file := tracetest.ReadJSON[struct{ Classes map[string][]string }](t, "../testdata/reference/layer_arguments.json")
	type odd struct{} // no argument is one
	missing := slices.Collect(maps.Keys(file.Classes))
	for _, class := range layers.Classes() {
		args := file.Classes[class]
		require.NotNil(t, args, "%s is no layer of Keras", class)
		missing = slices.DeleteFunc(missing, func(m string) bool { return m == class })
		for _, arg := range append(slices.Clone(args), "no_such_argument") {
			if notWritten[arg] != "" {
				continue
			}
			_, known, err := layers.FromConfig(class, map[string]any{arg: odd{}})
			require.True(t, known, class)
			require.Error(t, err, "%s: %s", class, arg)
			unread := refused[arg] != "" || arg == "no_such_argument"
			require.Equal(t, unread, strings.Contains(err.Error(), "is not known here"), "%s: %s: %v", class, arg, err)
		}
	}
	t.Logf("%d of %d classes are made of configs; not: %v", len(file.Classes)-len(missing), len(file.Classes), slices.Sorted(slices.Values(missing)))
}
