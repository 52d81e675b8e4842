package autoname

// This file converts names of classes to snake case.

import (
	"regexp"
	"strings"
)

// Snake case has an underscore before a capital that lower-case letters follow,
// and between a lower-case letter and a capital.
var (
	beforeWord = regexp.MustCompile(`(.)([A-Z][a-z]+)`)
	beforeCaps = regexp.MustCompile(`([a-z])([A-Z])`)
)

// Snake returns the name of a class in snake case, as Keras has it: LayerNormalization
// becomes layer_normalization, Conv2D conv2d.
func Snake(class string) string {
	class = beforeWord.ReplaceAllString(class, "${1}_${2}")
	return strings.ToLower(beforeCaps.ReplaceAllString(class, "${1}_${2}"))
}
