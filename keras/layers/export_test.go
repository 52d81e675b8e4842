package layers

import "reflect"

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
