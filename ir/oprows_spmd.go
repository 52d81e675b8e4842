package ir

// This file holds the rows of the spmd dialect: the collectives of a
// per-device program.
//
// Such a program has local shapes, and every device runs it as it stands. Its
// collectives name axes of the module's first mesh, never groups of devices,
// so that a program has the same size for 8 devices and for 4096; package
// compile expands them when it writes the text for an engine.
//
// A group is the devices that differ in their coordinates along axes only, in
// the order of their axis_index. In all rows, why is the reason for the op in
// words, for reports.

var (
	axesAttr = req("axes", KindAxes)
	whyAttr  = opt("why", KindString)
	reducer  = enum("reduction", "reduction")
)

// spmdOp is the row of a collective with one operand and one result.
func spmdOp(name string, check func(*Op) error, attrs ...AttrSpec) OpInfo {
	return OpInfo{Name: name, Operands: one, Results: one, Traits: Collective | OnMesh, Attrs: append(attrs, whyAttr),
		NoInfer: "the number of shards is known to the module's mesh only", Check: check}
}

// variadic is a row for several operands, with a result for each.
func variadic(row OpInfo) OpInfo {
	row.Operands, row.Results = oneOrMore, oneOrMore
	return row
}

// spmdSame is spmdOp for a collective that keeps the types.
func spmdSame(name string, attrs ...AttrSpec) OpInfo {
	return OpInfo{Name: name, Operands: one, Results: one, Traits: Collective | OnMesh, Attrs: append(attrs, whyAttr), Infer: inferIdentity}
}

var spmdRows = map[OpKind]OpInfo{
	// axis_index is the device's linear coordinate along axes, the first of
	// which is the major one. It communicates nothing.
	OpSPMDAxisIndex: {Name: "spmd.axis_index", Operands: none, Results: one, Traits: OnMesh, Attrs: specs(axesAttr), Infer: inferAxisIndex},
	// all_reduce combines each operand over the group, element by element.
	OpSPMDAllReduce: {Name: "spmd.all_reduce", Operands: oneOrMore, Results: oneOrMore, Traits: Collective | OnMesh,
		Attrs: specs(axesAttr, reducer, whyAttr), Infer: inferIdentity},
	// all_gather joins the group's shards of each operand along dim.
	OpSPMDAllGather: variadic(spmdOp("spmd.all_gather", resized("dim"), req("dim", KindInt), axesAttr)),
	// reduce_scatter is an all_reduce of which each device keeps the part of
	// dim that has its axis_index.
	OpSPMDReduceScatter: spmdOp("spmd.reduce_scatter", resized("dim"), req("dim", KindInt), axesAttr, reducer),
	// all_to_all cuts split_dim into parts, gives part i to the group's member
	// i and joins what it gets along concat_dim.
	OpSPMDAllToAll: spmdOp("spmd.all_to_all", resized("split_dim", "concat_dim"), req("split_dim", KindInt), req("concat_dim", KindInt), axesAttr),
	// permute gives every device the shard that it needs under the sharding to
	// from a device that holds it under from. Both give the same local shape.
	OpSPMDPermute: spmdSame("spmd.permute", req("from", KindSharding), req("to", KindSharding)),
	// shift gives every device the operand of the group's member whose
	// axis_index is its own plus offset, or offset less its own if mirrored;
	// and zeros where there is none.
	OpSPMDShift: spmdSame("spmd.shift", axesAttr, req("offset", KindInt), optBool("mirrored")),
}
