package ir

// This file says which loops compute in each iteration what is the same in all of them.

// hoistingAttr is the frontend attribute of a loop whose ops XLA does not move to before the loop
// (WhileLoopInvariantCodeMotion there).
const hoistingAttr = "_xla_disable_loop_instr_hoisting"

// KeepInvariants makes XLA compute the ops of op, a loop, in each iteration, also those whose
// results are the same in all of them. Their results then need no memory between the iterations.
func (op *Op) KeepInvariants() {
	if op.KeepsInvariants() {
		return
	}
	frontend, _ := op.Attrs.Get(frontendAttributes).(Dict)
	op.Attrs = op.Attrs.With(frontendAttributes, Dict(Attrs(frontend).With(hoistingAttr, String("true"))))
}

// KeepsInvariants reports whether KeepInvariants has been called for op.
func (op *Op) KeepsInvariants() bool {
	frontend, _ := op.Attrs.Get(frontendAttributes).(Dict)
	return Attrs(frontend).Get(hoistingAttr) != nil
}
