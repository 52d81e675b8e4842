package layers

// This file implements DataFormat: a layer of inputs (batch, channels, ...) gets them as (batch,
// ..., channels), and its outputs of the same rank are transposed back. Its variables have the
// shapes of Keras', which do not depend on the format.

import "slices"

// channelsFirst reports whether l has the option DataFormat("channels_first"). It is false for
// layers without that option.
func channelsFirst(l Layer) bool {
	d, ok := l.(interface{ declaredOptions() any })
	if !ok {
		return false
	}
	f, ok := d.declaredOptions().(interface{ format() string })
	return ok && f.format() == "channels_first"
}

func (d *declared) declaredOptions() any { return d.options }

func (o *formatOptions) format() string { return o.DataFormat }

// channelsLast returns copies of the inputs' specs with dimension 1, the channels, moved to the
// end. Specs of at most two dimensions are unchanged.
func channelsLast(inputs []Spec) []Spec {
	out := slices.Clone(inputs)
	for i, s := range inputs {
		if len(s.Shape) > 2 {
			out[i].Shape = slices.Concat(s.Shape[:1], s.Shape[2:], s.Shape[1:2])
		}
	}
	return out
}
