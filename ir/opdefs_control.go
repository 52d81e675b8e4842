package ir

// This file defines the ops of control flow, calls and ordering, the collectives
// of StableHLO, and the dialects of Shardy and of per-device programs.
//
// Shardy's ops speak of global shapes: what they change is how a value is
// sharded.
//
// The spmd dialect is that of per-device programs: they have local shapes, and
// every device runs the same one. Its collectives name axes of the module's
// first mesh, never groups of devices, so that a program has the same size for 8
// devices and for 4096; package compile expands them when it writes the text for
// an engine. A group is the devices that differ in their coordinates along axes
// only, in the order of their axis_index. Every op has an attribute why: the
// reason for it in words, for reports.

var controlOps = map[OpKind]OpInfo{
	OpWhile: {Name: "stablehlo.while", Operands: zeroOrMore, Results: zeroOrMore, Regions: two, Infer: inferWhile},
	OpIf:    {Name: "stablehlo.if", Operands: one, Args: "pred", Results: zeroOrMore, Regions: two, Infer: inferIf},
	OpCase:  {Name: "stablehlo.case", Operands: one, Args: "index", Results: zeroOrMore, Regions: oneOrMore, Infer: inferCase},
	OpReturn: {Name: "stablehlo.return", Operands: zeroOrMore, Results: none, Traits: Terminator,
		Infer: noResults},
	OpCall: {Name: "func.call", Operands: zeroOrMore, Results: zeroOrMore, Attrs: specs(req("callee", KindSymbol)),
		NoInfer: "they are the callee's, which only the module knows", Check: checkSymbol("callee")},
	OpComposite: {Name: "stablehlo.composite", Operands: zeroOrMore, Results: zeroOrMore, Regions: zeroOrMore,
		Attrs: specs(req("name", KindString), req("decomposition", KindSymbol), opt("composite_attributes", KindDict),
			optDefault("version", KindInt32, Int32(0))),
		NoInfer: "they are the decomposition's, which only the module knows", Check: checkSymbol("decomposition")},
	OpFuncReturn: {Name: "func.return", Operands: zeroOrMore, Results: none, Traits: Terminator, Infer: noResults},
	OpCustomCall: {Name: "stablehlo.custom_call", Operands: zeroOrMore, Args: "inputs...", Results: zeroOrMore,
		Attrs: specs(req("call_target_name", KindString), optBool("has_side_effect"), opt("backend_config", KindAny),
			opt("api_version", KindInt32), opt("called_computations", KindArray), opt("operand_layouts", KindArray),
			opt("result_layouts", KindArray), opt("output_operand_aliases", KindArray)),
		NoInfer: "what the target makes is not known here", Check: checkCustomCall},
	OpOptimizationBarrier: {Name: "stablehlo.optimization_barrier", Operands: zeroOrMore, Results: zeroOrMore, Infer: inferIdentity},
	OpAfterAll:            {Name: "stablehlo.after_all", Operands: zeroOrMore, Results: one, Infer: inferAfterAll},
	OpCreateToken:         {Name: "stablehlo.create_token", Operands: none, Results: one, Infer: inferToken},
}

var (
	replicaGroups = req("replica_groups", KindIntMatrix)
	channel       = opt("channel_handle", KindChannel)
	globalIDs     = opt("use_global_device_ids", KindUnit)
)

var collectiveOps = map[OpKind]OpInfo{
	OpAllGather: {Name: "stablehlo.all_gather", Operands: oneOrMore, Results: oneOrMore, Traits: Collective,
		Attrs: specs(req("all_gather_dim", KindInt), replicaGroups, channel, globalIDs), Infer: inferAllGather},
	OpAllReduce: {Name: "stablehlo.all_reduce", Operands: oneOrMore, Results: oneOrMore, Regions: one, Traits: Collective | ScalarBody,
		Attrs: specs(replicaGroups, channel, globalIDs), Infer: inferAllReduce},
	OpAllToAll: {Name: "stablehlo.all_to_all", Operands: oneOrMore, Results: oneOrMore, Traits: Collective,
		Attrs: specs(req("split_dimension", KindInt), req("concat_dimension", KindInt), req("split_count", KindInt), replicaGroups, channel),
		Infer: inferAllToAll},
	OpCollectiveBroadcast: {Name: "stablehlo.collective_broadcast", Operands: one, Results: one, Traits: Collective,
		Attrs: specs(replicaGroups, channel), Infer: inferCollectiveBroadcast},
	OpCollectivePermute: {Name: "stablehlo.collective_permute", Operands: one, Results: one, Traits: Collective,
		Attrs: specs(req("source_target_pairs", KindIntMatrix), channel), Infer: inferCollectivePermute},
	OpReduceScatter: {Name: "stablehlo.reduce_scatter", Operands: one, Results: one, Regions: one, Traits: Collective | ScalarBody,
		Attrs: specs(req("scatter_dimension", KindInt), replicaGroups, channel, globalIDs), Infer: inferReduceScatter},
	OpCrossReplicaSum: {Name: "stablehlo.cross-replica-sum", Operands: one, Results: one, Traits: Collective,
		Attrs: specs(replicaGroups), Infer: inferCollectiveBroadcast},
	OpPartitionID: {Name: "stablehlo.partition_id", Operands: none, Results: one, Infer: inferDeviceID},
	OpReplicaID:   {Name: "stablehlo.replica_id", Operands: none, Results: one, Infer: inferDeviceID},
}

var outSharding = req("out_sharding", KindSharding)

// sdyCollective defines an op that keeps the type and ends in
// out_sharding.
func sdyCollective(name string, attrs ...AttrSpec) OpInfo {
	return OpInfo{Name: name, Operands: one, Results: one, Traits: Collective, Attrs: append(attrs, outSharding), Infer: inferIdentity}
}

var sdyOps = map[OpKind]OpInfo{
	OpShardingConstraint: {Name: "sdy.sharding_constraint", Operands: one, Results: one,
		Attrs: specs(req("sharding", KindSharding)), Infer: inferIdentity},
	OpReshard: {Name: "sdy.reshard", Operands: one, Results: one,
		Attrs: specs(req("sharding", KindSharding)), Infer: inferIdentity},
	OpPropagationBarrier: {Name: "sdy.propagation_barrier", Operands: one, Results: one,
		Attrs: specs(enum("allowed_direction", "propagation_direction")), Infer: inferIdentity},
	OpShardingGroup: {Name: "sdy.sharding_group", Operands: one, Results: none, Traits: SideEffect,
		Attrs: specs(req("group_id", KindInt)), Infer: noResults},
	OpDataFlowEdge: {Name: "sdy.data_flow_edge", Operands: one, Results: one,
		Attrs: specs(opt("sharding", KindSharding)), Infer: inferIdentity},
	OpFuncDataFlowEdge: {Name: "sdy.func_data_flow_edge", Operands: one, Results: one, Infer: inferIdentity},
	OpManualComputation: {Name: "sdy.manual_computation", Operands: zeroOrMore, Results: zeroOrMore, Regions: one, Traits: Isolated,
		Attrs:   specs(req("in_shardings", KindShardings), req("out_shardings", KindShardings), AttrSpec{Name: "manual_axes", Kind: KindAxes, Enum: "manual_axes"}),
		NoInfer: "the body knows local shapes only, and padding may hide the global ones", Check: checkManualComputation},
	OpNamedComputation: {Name: "sdy.named_computation", Operands: zeroOrMore, Results: zeroOrMore, Regions: one, Traits: Isolated,
		Attrs: specs(req("name", KindString), opt("in_shardings", KindShardings), opt("out_shardings", KindShardings)),
		Infer: inferNamedComputation},
	OpSdyReturn:   {Name: "sdy.return", Operands: zeroOrMore, Results: none, Traits: Terminator, Infer: noResults},
	OpSdyConstant: {Name: "sdy.constant", Operands: none, Results: one, Attrs: specs(req("value", KindDense)), Infer: inferConstant},

	OpSdyAllGather:             sdyCollective("sdy.all_gather", req("gathering_axes", KindAxesPerDim)),
	OpSdyAllSlice:              sdyCollective("sdy.all_slice", req("slicing_axes", KindAxesPerDim)),
	OpSdyAllReduce:             sdyCollective("sdy.all_reduce", req("reduction_axes", KindAxes)),
	OpSdyAllToAll:              sdyCollective("sdy.all_to_all", AttrSpec{Name: "params", Kind: KindRaw, Enum: "all_to_all_param_list"}),
	OpSdyCollectivePermute:     sdyCollective("sdy.collective_permute"),
	OpSdyReduceScatter:         sdyCollective("sdy.reduce_scatter", req("reduce_scatter_axes", KindAxesPerDim)),
	OpSdyReplicatedToUnreduced: sdyCollective("sdy.replicated_to_unreduced", req("axes", KindAxes)),
	OpSdyShardedToUnreduced:    sdyCollective("sdy.sharded_to_unreduced", req("axes", KindAxesPerDim)),
}

var (
	axesAttr = req("axes", KindAxes)
	whyAttr  = opt("why", KindString)
	reducer  = enum("reduction", "reduction")
)

// spmdOp defines a collective with one operand and one result.
func spmdOp(name string, check func(*Op) error, attrs ...AttrSpec) OpInfo {
	return OpInfo{Name: name, Operands: one, Results: one, Traits: Collective | OnMesh, Attrs: append(attrs, whyAttr),
		NoInfer: "the number of shards is known to the module's mesh only", Check: check}
}

// variadic defines an op of several operands, with a result for each.
func variadic(def OpInfo) OpInfo {
	def.Operands, def.Results = oneOrMore, oneOrMore
	return def
}

// spmdSame is spmdOp for a collective that keeps the types.
func spmdSame(name string, attrs ...AttrSpec) OpInfo {
	return OpInfo{Name: name, Operands: one, Results: one, Traits: Collective | OnMesh, Attrs: append(attrs, whyAttr), Infer: inferIdentity}
}

var spmdOps = map[OpKind]OpInfo{
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
