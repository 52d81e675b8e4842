package optimizers

// This file describes optimizers, for files.

// describe keeps what Config returns.
func (o *Optimizer) describe(class string, config map[string]any) {
	o.class, o.config = class, config
}

// Config returns Keras' name of the class, such as Adam, and the options as
// Keras' get_config names them, but for the name and the learning rate; nil
// stands for one that is off. class is empty for an optimizer made by New.
func (o *Optimizer) Config() (class string, config map[string]any) { return o.class, o.config }

// Schedule returns the schedule of the learning rate, nil without one.
func (o *Optimizer) Schedule() Schedule { return o.schedule }
