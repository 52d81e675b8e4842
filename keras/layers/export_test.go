package layers

import (
	"reflect"

	"github.com/gospmd/gospmd/internal/option"
)

// ZeroLayers returns a pointer to a zero value of the Go type of each class, except classes that
// cannot be made without options.
func ZeroLayers() []Layer {
	var out []Layer
	for _, name := range Classes() {
		if t := typeOfClass(name); t != nil {
			out = append(out, reflect.New(t).Interface().(Layer))
		}
	}
	return out
}

// AnyTakes reports whether any class has an option with this name, such as "Units".
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
