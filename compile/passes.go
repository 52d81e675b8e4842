package compile

// This file holds the list of passes: the pipeline.

import (
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/target"
)

// pipelinePass is a row of the list of passes, which run in the order of the list.
type pipelinePass struct {
	name string  // must be unique
	in   variant // the variants of the pipeline that have the pass
	// against is the limit of compilers that the pass works around. It runs for targets that have
	// the limit.
	against target.Limit
	why     string
	run     func(*compilation) error
}

// variant is a set of variants of the pipeline. Each partitioner has one variant.
type variant uint

const (
	xla variant = 1 << iota
	spmd
	// required marks passes that later passes do not work without. Options.Debug cannot switch them
	// off.
	required
	// chosen is for passes that run on the program that pass choose has taken, and not on the
	// copies that it compares.
	chosen

	all = xla | spmd
)

// always marks passes that run for all targets, whatever their limits.
const always = target.None

// runs reports whether the pass is in the pipeline for the partitioner and the target of the
// options.
func (p pipelinePass) runs(o Options) bool {
	return p.in&o.Partitioner.variant() != 0 && o.target().Has(p.against)
}

// runUnlessFinished runs the pass, unless pass choose has taken a module that it already ran on, or
// will run it later.
func (p pipelinePass) runUnlessFinished(c *compilation) error {
	if p.in&chosen != 0 && c.copied || p.in&chosen == 0 && c.finished {
		return nil
	}
	return p.run(c)
}

// passOfMain returns the run of a pass: it calls run with the function main, and returns no error.
func passOfMain(run func(*ir.Func)) func(*compilation) error {
	return func(c *compilation) error {
		run(c.main())
		return nil
	}
}

// passes lists the passes in the order in which they run.
var passes = []pipelinePass{
	{"approx_top_k", all, always, "before inline, which drops the functions that compare", approxTopK},
	{"inline", all | required, always, "shardings and rewrites then see one function, main", inline},
	{"dce", all, always, "gradients leave dead code; ops that are gone need no sharding and no rewrite", passOfMain(dce)},
	{"simplify", all, always, "fewer ops for every later stage, and shapes that propagation can see through", passOfMain(simplify)},
	{"loops", all, always, "what is computed before a loop is sharded and moved once; after simplify, which sees through reshapes", passOfMain(loops)},
	{"turn", all, target.SlowStridedProducts, "XLA on CPUs copies what products in loops read across its rows in each step; after loops, which takes more out", passOfMain(turn)},
	{"cse", all, always, "after simplify, which makes equal ops look equal", passOfMain(cse)},
	{"sink", all, always, "elementwise ops of what a loop reads slice by slice are computed in the loop; after cse: equal slices are then one", passOfMain(sink)},
	{"products", all, target.SummedInLoops, "what a loop adds up in each iteration becomes one product, and needs collectives once; after cse: the saved value and the factor are then one", passOfMain(products)},
	{"dce_simplified", all, always, "simplify and cse leave what they replaced", passOfMain(dce)},
	{"conv_padding", all, target.NegativePadding, "XLA on CPUs reads beyond the operand where padding is negative, and only results would tell of others; after simplify, which could put the slice back", passOfMain(rewriteConvPadding)},
	{"elements", all, target.MissingElements, "an op that the target lacks on an element type is written by others; libtpu and the CUDA plugin do not compile remainders of complex numbers", passOfMain(elements)},
	{"inits", all | required, always, "partial results that each start from an initial value count it more than once, and XLA leaves it out over dimensions of size 1; after simplify, which finds constant ones", passOfMain(inits)},
	{"clamp", all, target.AddedIndices, "XLA on CPUs adds up indices that are out of range, and only results would tell of others; after simplify, which finds constant ones", passOfMain(clampIndices)},
	{"lapack", all, always, "after dce: what nobody needs is not refused", checkLapack},
	{"split", all, always, "a constant shared by two uses would tie their shardings together", passOfMain(split)},
	{"mesh", all | required, always, "checks that all annotations name one mesh before anything reads them", chooseMesh},
	{"unit_axes", all, always, "an axis of size 1 shards nothing, but would keep propagation from seeing that two shardings are one", passOfMain(unitAxes)},
	{"alias", all, always, "a donated input and its output must have the same sharding, so one's annotation is the other's too", alias},
	{"shard_update", all, always, "an option; once annotations agree, and before they spread", shardUpdate},
	{"divisible", xla, always, "XLA takes even shards only; before propagate, so that it does not spread shardings that XLA cannot have", shortenAnnotations},
	{"propagate", all | required, always, "spreads the annotations over all values; what stays unknown is replicated", propagate},
	{"divisible_all", xla, always, "propagation may shard a dimension that no annotation shards", shortenAll},
	{"alias_final", all, always, "propagation may have found different shardings for a donated input and its output", aliasFinal},
	{"signature", all | required, always, "once shardings are final, and before the variants change shapes and shardings", signature},
	{"offload", all | required, always, "with the roles and shards of inputs, which signature finds; micro-batches and partition keep the list of inputs", offload},
	{"lower_shardy", xla, always, "Shardy ops that XLA does not take become ones that it does", lowerShardy},
	{"division", xla, target.FoldsDivisions, "XLA on CPUs ends the process over integers that it divides by zero when it compiles; libtpu and the CUDA plugin do not; after all that finds constants", passOfMain(division)},
	{"annotate", xla | required, always, "last: the form of the module that XLA expects, which no other pass reads", annotate},
	{"choose", spmd | required, always, "how the passes behind it decide, which it tries on copies; once the shardings that the caller knows are final", choose},
	{"autoshard", spmd, always, "shards what every device would compute in full, and replicates what is too small to shard; once the shardings that the caller knows are final", refineShardings},
	{"split_batch", spmd, always, "an option; once shardings are final, and before bind, which states them with the axis of micro-batches", splitBatch},
	{"bind", spmd, always, "an option; once shardings are final, for partition to keep those that are annotated", bind},
	{"partition", spmd | required, always, "each device's part of every op, with the collectives between them", partitionModule},
	{"shard_scattered", spmd, always, "a table of which a device needs some rows has no others in memory; before micro_batches, which exchanges updates in place of sums of tables", shardScattered},
	{"micro_batches", spmd, always, "an option; right after partition: later passes know no collectives over the axis of micro-batches", serializeBatch},
	{"cse_local", spmd, always, "two ops that need the same shard were each given it", passOfMain(cse)},
	{"shard_gathered", spmd, always, "the shards that a gather is made of are there; after cse_local: equal gathers are then one value", shardGathered},
	{"merge_reduces", spmd, always, "before reduce_scatter, which looks at one reduction", mergeReduces},
	{"reduce_scatter", spmd, always, "before move_gathers, which sees the shards that this leaves", scatterReduces},
	{"reduce_first", spmd, always, "devices send what is left after they have reduced their own part; after reduce_scatter, behind which the reduction stands", reduceFirst},
	{"move_gathers", spmd, always, "after cse_local: equal shards are then one value", moveGathers},
	{"dce_local", spmd, always, "shardings that were chosen against leave what would have made them", passOfMain(dce)},
	{"reduce_dtype", spmd, always, "an option; before combine_reduces, which combines only sums of one element type", reduceInType},
	{"combine_reduces", spmd, always, "after dce_local, so that a dead op cannot delay a combined collective", combineReduces},
	{"combine_gathers", spmd, always, "after the reductions, whose places decide what else is in memory", combineGathers},
	{"two_scatters", spmd, target.SumsForScatters, "for a limit of memory: libtpu makes a sum and a slice of a scatter over all chips, and keeps whole gradients in memory; after combine_reduces, which knows one scatter", twoScatters},
	{"unit_dimensions", spmd, target.UnitDimensions, "libtpu refuses some reduce_scatters of dimensions of size 1; after two_scatters, which makes more of them", passOfMain(unitDimensions)},
	{"division_local", spmd, target.FoldsDivisions, "as division; partition makes constants of what is empty", passOfMain(division)},
	{"pooling", spmd, target.SlowMaxGradients, "XLA on CPUs scatters the gradient of a max pooling by arrays of indices; of shards, whose windows partition has made whole", passOfMain(rewritePooling)},
	{"conv_images", spmd, target.SlowSmallImages, "XLA on CPUs computes a convolution by single products where the kernel is larger than the images; of shards, which may be what is small", passOfMain(convSmallImages)},
	{"conv_loops", spmd, target.SlowLoopedConvolutions, "XLA on CPUs has fast code for convolutions of one order of dimensions, and brings them into it outside of loops only; after conv_images, which pads dimensions", passOfMain(convLoops)},
	{"conv_groups", all, target.TakesForGroups, "XLA takes a dilated dimension for one of groups and aborts, on CPUs, in libtpu and in the CUDA plugin; partition makes such ones of shards", passOfMain(convGroups)},
	{"conv_patches", spmd, target.PadsChannels, "for a limit of memory: libtpu may store three channels as 128; of shards, whose patches are whole", convPatches},
	{"sums", spmd, target.SlowColumnSums, "XLA on CPUs reduces column by column, and does not vectorize that; of shards, last: nothing else knows such a product for a sum", passOfMain(rewriteSums)},
	{"hold_barriers", spmd | chosen, target.DropsBarriers, "XLA on CPUs removes barriers before it merges equal ops, and what jax.checkpoint computes again would be kept instead; after cse_local, which barriers keep from merging", passOfMain(memory.HoldBarriers)},
	{"host_memory", spmd | required, always, "after all that moves ops; memory then predicts the copies", hostMemory},
	{"stacks", spmd | chosen, always, "what the loop of a gradient computes again in less time than it takes to read it is not saved; before memory, which sees the memory that is left", dropStacks},
	{"memory", spmd | chosen, always, "options; last: it predicts the memory of the program that runs, and what it computes again must not be merged with the first", fitMemory},
	{"keep_operands", spmd | chosen, target.FusesOperands, "XLA on GPUs would store what products read a second time, without the last cheap op; after memory, which makes values that are stored", passOfMain(keepOperands)},
}

// passOrder lists pairs of passes: the first must come before the second, for the given reason. A
// test checks the list above against it.
var passOrder = []pass.Before{
	{First: "inline", Then: "dce", Why: "a call hides which results its caller needs"},
	{First: "dce", Then: "simplify", Why: "dead ops would be rewritten for nothing"},
	{First: "simplify", Then: "cse", Why: "equal ops must look equal"},
	{First: "cse", Then: "sink", Why: "two equal slices would be two computations"},
	{First: "sink", Then: "split", Why: "the constants that it makes are of one op each"},
	{First: "loops", Then: "turn", Why: "what loops has taken out can be transposed"},
	{First: "loops", Then: "cse", Why: "two loops may compute the same before them"},
	{First: "turn", Then: "cse", Why: "two products may read one transposed matrix"},
	{First: "cse", Then: "products", Why: "the factor of a product and the value that is saved must be one value"},
	{First: "loops", Then: "products", Why: "arrays that loops carry unchanged are then those from outside"},
	{First: "products", Then: "dce_simplified", Why: "loops still carry the sums"},
	{First: "loops", Then: "dce_simplified", Why: "carries that nothing reads any more go"},
	{First: "cse", Then: "split", Why: "cse would merge again what split has split"},
	{First: "simplify", Then: "elements", Why: "of what simplify computes or drops, nothing need be rewritten"},
	{First: "elements", Then: "split", Why: "each op gets constants of its own"},
	{First: "elements", Then: "propagate", Why: "what it makes needs shardings"},
	{First: "simplify", Then: "inits", Why: "an initial value that is computed from constants may be the neutral one"},
	{First: "inits", Then: "split", Why: "each reduction gets a constant of its own"},
	{First: "inits", Then: "propagate", Why: "the op that combines an initial value is sharded like any other"},
	{First: "clamp", Then: "split", Why: "clamp shares its bounds among uses"},
	{First: "dce_simplified", Then: "split", Why: "a use by a dead op would get its own constant"},
	{First: "split", Then: "propagate", Why: "shardings must not travel through shared constants and broadcast scalars"},
	{First: "mesh", Then: "unit_axes", Why: "the mesh says how large an axis is"},
	{First: "unit_axes", Then: "alias", Why: "shardings that differ in axes of size 1 are the same"},
	{First: "alias", Then: "shard_update", Why: "a slot and its new value are sharded alike, whichever of them is annotated"},
	{First: "shard_update", Then: "propagate", Why: "the update is sharded by what propagates from its results"},
	{First: "shard_update", Then: "divisible", Why: "it may shard a dimension that XLA cannot"},
	{First: "alias", Then: "divisible", Why: "a sharding that an output takes over from its donor must be shortened like the donor's"},
	{First: "divisible", Then: "propagate", Why: "propagate must start from shardings that XLA can have"},
	{First: "propagate", Then: "divisible_all", Why: "divisible_all shortens what propagation found"},
	{First: "divisible_all", Then: "alias_final", Why: "alias_final makes shardings equal, whatever was shortened"},
	{First: "alias_final", Then: "signature", Why: "signature records final shardings"},
	{First: "signature", Then: "annotate", Why: "annotate drops the shardings of one-device programs"},
	{First: "choose", Then: "autoshard", Why: "it says for which machines autoshard searches"},
	{First: "signature", Then: "choose", Why: "memory is counted with the inputs that are donated"},
	{First: "propagate", Then: "autoshard", Why: "it estimates the cost of the shardings that propagation found"},
	{First: "alias_final", Then: "autoshard", Why: "the shardings that a caller sees stay as they are"},
	{First: "choose", Then: "split_batch", Why: "it notes the shardings that propagation found, value by value"},
	{First: "split_batch", Then: "bind", Why: "bind adds ops, so values would no longer be those that choose has noted"},
	{First: "split_batch", Then: "partition", Why: "micro-batches are shards"},
	{First: "partition", Then: "micro_batches", Why: "it makes the collectives over the axis of micro-batches"},
	{First: "autoshard", Then: "bind", Why: "bind states shardings that autoshard leaves alone"},
	{First: "bind", Then: "partition", Why: "partition makes what a constraint states"},
	{First: "autoshard", Then: "partition", Why: "partition follows the shardings that autoshard leaves"},
	{First: "signature", Then: "partition", Why: "partition makes local shapes of global ones"},
	{First: "alias_final", Then: "partition", Why: "a donated shard must be as large as the one it becomes"},
	{First: "partition", Then: "shard_scattered", Why: "partition makes the shards of results"},
	{First: "shard_scattered", Then: "micro_batches", Why: "it exchanges updates of a scatter whose result is summed right behind it"},
	{First: "partition", Then: "cse_local", Why: "only then are there collectives to share"},
	{First: "cse_local", Then: "shard_gathered", Why: "shards of one value are computed once"},
	{First: "shard_gathered", Then: "move_gathers", Why: "a gather that nothing needs would be moved"},
	{First: "cse_local", Then: "merge_reduces", Why: "a reduction that two others need is not merged; equal ones are one"},
	{First: "merge_reduces", Then: "reduce_scatter", Why: "of a reduction in two steps only the last has local shards as uses"},
	{First: "cse_local", Then: "reduce_scatter", Why: "equal local shards of a reduction are one"},
	{First: "reduce_scatter", Then: "reduce_first", Why: "the shard that a reduction reads is then the result of a scatter"},
	{First: "reduce_first", Then: "combine_reduces", Why: "a combined scatter has several results"},
	{First: "reduce_scatter", Then: "move_gathers", Why: "move_gathers sees where shards come from"},
	{First: "move_gathers", Then: "dce_local", Why: "move_gathers leaves the gathers that it replaced"},
	{First: "dce_local", Then: "combine_reduces", Why: "dead reductions would be combined with live ones"},
	{First: "two_scatters", Then: "unit_dimensions", Why: "both halves of a scatter may have dimensions of size 1"},
	{First: "combine_reduces", Then: "combine_gathers", Why: "memory is counted with the reductions where they stay"},
	{First: "partition", Then: "conv_images", Why: "shards may be what is smaller than the kernel"},
	{First: "conv_padding", Then: "conv_images", Why: "it leaves negative padding alone"},
	{First: "partition", Then: "sums", Why: "the sums of shards count, and a reduction has a rule that needs no reshape"},
	{First: "partition", Then: "dce_local", Why: "partition leaves shards that nothing uses"},
	{First: "combine_gathers", Then: "memory", Why: "copies of a collective stay where they are needed"},
	{First: "cse_local", Then: "hold_barriers", Why: "products that hold values back are equal where their barriers are not"},
	{First: "hold_barriers", Then: "memory", Why: "it predicts the memory with what is computed again"},
	{First: "sums", Then: "memory", Why: "the memory of the program that runs counts"},
	{First: "cse_local", Then: "memory", Why: "cse would merge again what is computed again"},
	{First: "lower_shardy", Then: "annotate", Why: "annotate would leave Shardy ops without their mesh"},
}
