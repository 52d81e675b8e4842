package losses

import (
	"slices"

	"github.com/gospmd/gospmd/internal/option"
)

// AnyTakes reports whether a loss takes an option.
func AnyTakes(name string) bool {
	return slices.ContainsFunc(classes, func(c lossClass) bool { return option.Takes(name, c.make().options, &common{}) })
}
