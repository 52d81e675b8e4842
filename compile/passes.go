package compile

// This file holds the list of passes.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
)

// unit is one compilation: what the passes work on.
type unit struct {
	m           *ir.Module
	mesh        *mesh.DeviceMesh // set by pass mesh; never nil from there on
	o           Options
	diagnostics []program.Diagnostic

	inputs         []program.Input // set by pass signature
	outputs        []program.Output
	oneDeviceFlops int // of one device alone, set by pass signature; 0 if not known
}

// warn adds a warning for the user, once.
func (u *unit) warn(subject, text string) {
	d := program.Diagnostic{Subject: subject, Text: text}
	if !slices.Contains(u.diagnostics, d) {
		u.diagnostics = append(u.diagnostics, d)
	}
}

// main returns the entry function.
func (u *unit) main() *ir.Func { return u.m.Main() }

// oneDevice reports whether the program is for a single device.
func (u *unit) oneDevice() bool { return u.mesh.Size() == 1 }

// pass is one step of the compilation. An error it returns is the user's;
// what it leaves is checked by the verifier.
type pass struct {
	name string // unique
	tail tail   // which partitioners it runs for
	why  string
	run  func(*unit) error
}

// tail is a set of partitioners.
type tail uint

const (
	xla  tail = 1 << XLA
	spmd tail = 1 << SPMD
	all  tail = xla | spmd
)

// passes run in this order.
var passes = []pass{
	{"inline", all, "layouts and rewrites then see one function, main", inline},
	{"dce", all, "gradients leave dead code; what is gone needs no layout and no rewrite", dce},
	{"simplify", all, "fewer ops for every later stage, and shapes that propagation can see through", simplify},
	{"cse", all, "after simplify, which makes equal ops look equal", cse},
	{"dce_simplified", all, "simplify and cse leave what they replaced", dce},
	{"conv_padding", all, "XLA reads beyond the operand where padding is negative; after simplify, which could put the slice back", convPadding},
	{"clamp", all, "XLA adds up indices that are out of range; after simplify, which finds constant ones", clampIndices},
	{"split", all, "a constant shared by two uses would tie their layouts together", split},
	{"mesh", all, "checks that all pins name one mesh before anything reads them", chooseMesh},
	{"unit_axes", all, "an axis of size 1 splits nothing, but would keep propagation from seeing that two layouts are one", unitAxes},
	{"alias", all, "a donated input and its output must lie alike, so one's pin is the other's too", alias},
	{"shard_update", all, "an option; once pins agree, and before they spread", shardUpdate},
	{"divisible", xla, "XLA takes even shards only; before propagate, so that it does not spread what cannot be", divisible},
	{"propagate", all, "spreads the pins over all values; what stays unknown is replicated", propagate},
	{"divisible_all", xla, "propagation may split a dimension that no pin splits", divisibleAll},
	{"alias_all", all, "propagation may have found different layouts for a donated input and its output", aliasFinal},
	{"signature", all, "once layouts are final, and before the tails change shapes and layouts", signature},
	{"lower", xla, "Shardy ops that XLA does not take become ones that it does", lowerXLA},
	{"annotate", xla, "last: the form of the module that XLA expects, which no other pass reads", annotate},
	{"balance", spmd, "splits what every device would do as a whole, and joins what is too little to split; once the layouts that the caller knows are final", balance},
	{"partition", spmd, "each device's part of every op, with the collectives between them", splitProgram},
	{"cse_local", spmd, "two ops that need the same shard were each given it", cse},
	{"join", spmd, "before reduce_scatter, which looks at one sum", joinReduces},
	{"reduce_scatter", spmd, "before gathers, which sees the shards that this leaves", scatterReduces},
	{"gathers", spmd, "on shards that are cut out once, so that equal ones are seen to be", moveGathers},
	{"dce_local", spmd, "layouts that were chosen against leave what would have made them", dce},
	{"combine", spmd, "last: it ties ops together, and a dead one would keep the others waiting", combineReduces},
	{"combine_gathers", spmd, "after the sums, whose places decide what else is in memory", combineGathers},
}

// passOrder says which pass must come before which, and why. A test holds the
// list above to it.
var passOrder = []struct{ first, then, why string }{
	{"inline", "dce", "a call hides which results its caller needs"},
	{"dce", "simplify", "dead ops would be rewritten for nothing"},
	{"simplify", "cse", "equal ops must look equal"},
	{"cse", "split", "cse would merge again what split has split"},
	{"clamp", "split", "clamp shares its bounds among uses"},
	{"dce_simplified", "split", "a use by a dead op would get its own constant"},
	{"split", "propagate", "layouts must not travel through shared constants and broadcast scalars"},
	{"mesh", "unit_axes", "the mesh says how large an axis is"},
	{"unit_axes", "alias", "layouts that differ in axes of size 1 are the same"},
	{"alias", "shard_update", "a slot and its new value are split alike, whatever was said of either"},
	{"shard_update", "propagate", "the update is split by what propagates from its results"},
	{"shard_update", "divisible", "XLA cannot split all that is asked for"},
	{"alias", "divisible", "a pin that an output takes over from its donor must be cut like the donor's"},
	{"divisible", "propagate", "propagate must start from layouts that XLA can do"},
	{"propagate", "divisible_all", "divisible_all cuts what propagation found"},
	{"divisible_all", "alias_all", "alias_all makes layouts equal, whatever was cut"},
	{"alias_all", "signature", "signature records final layouts"},
	{"signature", "annotate", "annotate drops the layouts of one-device programs"},
	{"propagate", "balance", "it prices the layouts that propagation found"},
	{"alias_all", "balance", "what a caller sees of layouts stays as it is"},
	{"balance", "partition", "partition follows the layouts that balance leaves"},
	{"signature", "partition", "partition makes local shapes of global ones"},
	{"alias_all", "partition", "a donated shard must be as large as the one it becomes"},
	{"partition", "cse_local", "only then are there collectives to share"},
	{"cse_local", "join", "a sum that two others need is not joined; equal ones are one"},
	{"join", "reduce_scatter", "a sum in two steps is cut out of after the last"},
	{"cse_local", "reduce_scatter", "a sum that is cut out twice in the same way is cut out once"},
	{"reduce_scatter", "gathers", "gathers sees where shards come from"},
	{"gathers", "dce_local", "gathers leaves what it has moved"},
	{"dce_local", "combine", "dead reductions would be combined with live ones"},
	{"combine", "combine_gathers", "memory is counted with the sums where they stay"},
	{"partition", "dce_local", "partition leaves shards that nothing uses"},
	{"lower", "annotate", "annotate would leave Shardy ops without their mesh"},
}
