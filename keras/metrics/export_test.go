package metrics

import (
	"slices"

	"github.com/gospmd/gospmd/internal/option"
)

// AnyTakes reports whether any class of metrics takes the option with that name.
func AnyTakes(name string) bool {
	return slices.ContainsFunc(classes, func(c metricClass) bool { return option.Takes(name, c.make().options, &common{}) })
}
