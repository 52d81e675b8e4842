package ir

// This file holds the rows of Shardy's dialect. Its ops speak of global
// shapes: what they change is how a value lies on the devices.

var outSharding = req("out_sharding", KindSharding)

// sdyCollective is the row of an op that keeps the type and ends in
// out_sharding.
func sdyCollective(name string, attrs ...AttrSpec) OpInfo {
	return OpInfo{Name: name, Operands: one, Results: one, Traits: Collective, Attrs: append(attrs, outSharding), Infer: inferIdentity}
}

var sdyRows = map[OpKind]OpInfo{
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
