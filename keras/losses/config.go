package losses

// This file describes losses, for files.

import "slices"

// Config returns Keras' name of the class, such as MeanSquaredError, and the
// options as Keras' get_config names them. class is empty for a loss made by
// New.
func (l *Loss) Config() (class string, config map[string]any) {
	if l.has == nil {
		return "", nil
	}
	for _, c := range classes {
		if slices.Contains(c.names, l.name) {
			class = c.class
		}
	}
	config = map[string]any{"name": l.name, "reduction": "sum_over_batch_size"}
	for _, o := range []struct {
		option, key string
		value       any
	}{
		{"FromLogits", "from_logits", l.made.fromLogits},
		{"LabelSmoothing", "label_smoothing", l.made.labelSmoothing},
		{"Delta", "delta", l.made.delta},
	} {
		if slices.Contains(l.has, o.option) {
			config[o.key] = o.value
		}
	}
	return class, config
}
