package optimizers

import "github.com/gospmd/gospmd/internal/option"

// AnyTakes reports whether any class of optimizers takes the option with that name.
func AnyTakes(name string) bool {
	for _, makeOptimizer := range byName {
		if option.Takes(name, makeOptimizer().options, &common{}) {
			return true
		}
	}
	return option.Takes(name, &scalingOptions{})
}
