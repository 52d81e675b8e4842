package layers

import (
	"reflect"

	"github.com/gospmd/gospmd/internal/option"
)

// ZeroLayers returns a zero value of the type of each class.
func ZeroLayers() []Layer {
	var out []Layer
	for _, name := range Classes() {
		if t := typeOfClass(name); t != nil {
			out = append(out, reflect.New(t).Interface().(Layer))
		}
	}
	return out
}

// AnyTakes reports whether a class takes an option.
func AnyTakes(name string) bool {
	for _, family := range families {
		for _, c := range family {
			if option.Takes(name, c.options(), &common{}) {
				return true
			}
		}
	}
	return false
}
