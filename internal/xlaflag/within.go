package xlaflag

// This file keeps programs for GPUs within memory.

// InOrder lets XLA for GPUs run ops in the order that needs the least memory. Without it, its
// scheduler moves collectives apart from the ops that wait for them, to overlap both.
var InOrder = Flag{"xla_gpu_enable_latency_hiding_scheduler", "false"}

// Within compiles a program for GPUs by compile. If the result needs more than bound bytes of a
// device, Within compiles once more, with InOrder, and returns what needs less. free frees the
// other one. A bound of 0 is none.
func Within[E any](bound int, compile func(flags ...Flag) (E, error), needs func(E) int, free func(E)) (E, error) {
	first, err := compile()
	if err != nil || bound == 0 || needs(first) <= bound {
		return first, err
	}
	ordered, err := compile(InOrder)
	switch {
	case err != nil:
		return first, nil
	case needs(ordered) < needs(first):
		free(first)
		return ordered, nil
	}
	free(ordered)
	return first, nil
}
