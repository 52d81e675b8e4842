package ir

// This file holds the rows of control flow, calls, ordering and of the
// StableHLO collectives.

var controlRows = map[OpKind]OpInfo{
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

var collectiveRows = map[OpKind]OpInfo{
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
