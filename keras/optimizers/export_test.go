package optimizers

import "github.com/gospmd/gospmd/internal/option"

// AnyTakes reports whether an optimizer takes an option.
func AnyTakes(name string) bool {
	for _, makeOptimizer := range byName {
		if option.Takes(name, makeOptimizer().options, &common{}) {
			return true
		}
	}
	return option.Takes(name, &scalingOptions{})
}
