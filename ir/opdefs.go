package ir

// This file defines the ops. Of StableHLO it has the ops that compute (element-wise ops; making,
// shaping and moving data; contractions, reductions, windows and sorting; random numbers, linear
// algebra and batch normalization), those of control flow, calls and ordering, and the collectives.
// It also defines the ops of Shardy's dialect and of the spmd dialect.
//
// Shardy's ops have global shapes: what they change is the sharding of a value.
//
// The spmd dialect has the ops of per-device programs: shapes are local, and every device runs the
// same program. Its collectives name axes of the module's first mesh, never groups of devices. So a
// program has the same size for 8 devices and for 4096. When package compile writes the text for an
// engine, it expands the axes to groups. A group has the devices that differ only in their
// coordinates along the axes, in the order of their axis_index. Every collective of the dialect may
// have an attribute why, which states in words the reason for the op; reports show it.

// accuracy is the attribute that says how accurate a transcendental op must be.
var accuracy = opt("result_accuracy", KindRaw)

var elementwiseOps = map[OpKind]OpInfo{
	// Ops with one operand.
	OpAbs:               unaryOp("stablehlo.abs", inferAbs),
	OpCbrt:              unaryOp("stablehlo.cbrt", sameType(inexact), accuracy),
	OpCeil:              unaryOp("stablehlo.ceil", sameType(floating)),
	OpCountLeadingZeros: unaryOp("stablehlo.count_leading_zeros", sameType(integer)),
	OpCosine:            unaryOp("stablehlo.cosine", sameType(inexact), accuracy),
	OpExpM1:             unaryOp("stablehlo.exponential_minus_one", sameType(inexact), accuracy),
	OpFloor:             unaryOp("stablehlo.floor", sameType(floating)),
	OpImag:              unaryOp("stablehlo.imag", inferRealPart),
	OpIsFinite:          unaryOp("stablehlo.is_finite", inferPredicate(floating)),
	OpLog1p:             unaryOp("stablehlo.log_plus_one", sameType(inexact), accuracy),
	OpNegate:            unaryOp("stablehlo.negate", sameType(numeric)),
	OpNot:               unaryOp("stablehlo.not", sameType(integer|boolean)),
	OpPopcnt:            unaryOp("stablehlo.popcnt", sameType(integer)),
	OpReal:              unaryOp("stablehlo.real", inferRealPart),
	OpRoundAFZ:          unaryOp("stablehlo.round_nearest_afz", sameType(floating)),
	OpRoundEven:         unaryOp("stablehlo.round_nearest_even", sameType(floating)),
	OpSign:              unaryOp("stablehlo.sign", sameType(signed|inexact)),
	OpExp:               unaryOp("stablehlo.exponential", sameType(inexact), accuracy),
	OpLog:               unaryOp("stablehlo.log", sameType(inexact), accuracy),
	OpLogistic:          unaryOp("stablehlo.logistic", sameType(inexact), accuracy),
	OpRsqrt:             unaryOp("stablehlo.rsqrt", sameType(inexact), accuracy),
	OpSine:              unaryOp("stablehlo.sine", sameType(inexact), accuracy),
	OpSqrt:              unaryOp("stablehlo.sqrt", sameType(inexact), accuracy),
	OpTan:               unaryOp("stablehlo.tan", sameType(inexact), accuracy),
	OpTanh:              unaryOp("stablehlo.tanh", sameType(inexact), accuracy),
	OpReducePrecision:   unaryOp("stablehlo.reduce_precision", inferReducePrecision, req("exponent_bits", KindInt32), req("mantissa_bits", KindInt32)),
	OpConvert: {Name: "stablehlo.convert", Operands: one, Results: one, Traits: Elementwise,
		NoInfer: "the element type to convert to is the result's", Check: checkConvert},

	// Ops of the CHLO dialect.
	OpAcos:      unaryOp("chlo.acos", sameType(inexact)),
	OpAcosh:     unaryOp("chlo.acosh", sameType(inexact)),
	OpAsin:      unaryOp("chlo.asin", sameType(inexact)),
	OpAsinh:     unaryOp("chlo.asinh", sameType(inexact)),
	OpAtan:      unaryOp("chlo.atan", sameType(inexact)),
	OpAtanh:     unaryOp("chlo.atanh", sameType(inexact)),
	OpBesselI1e: unaryOp("chlo.bessel_i1e", sameType(floating)),
	OpConj:      unaryOp("chlo.conj", sameType(inexact)),
	OpCosh:      unaryOp("chlo.cosh", sameType(inexact)),
	OpDigamma:   unaryOp("chlo.digamma", sameType(floating)),
	OpErf:       unaryOp("chlo.erf", sameType(floating)),
	OpErfc:      unaryOp("chlo.erfc", sameType(floating)),
	OpErfInv:    unaryOp("chlo.erf_inv", sameType(floating)),
	OpIsInf:     unaryOp("chlo.is_inf", inferPredicate(floating)),
	OpIsNegInf:  unaryOp("chlo.is_neg_inf", inferPredicate(floating)),
	OpIsPosInf:  unaryOp("chlo.is_pos_inf", inferPredicate(floating)),
	OpLgamma:    unaryOp("chlo.lgamma", sameType(floating)),
	OpSinh:      unaryOp("chlo.sinh", sameType(inexact)),
	OpSquare:    unaryOp("chlo.square", sameType(inexact)),
	OpMulHi:     binaryOp("chlo.mulhi", sameType(integer), Commutative),
	OpNextAfter: binaryOp("chlo.next_after", sameType(floating), 0),
	OpPolygamma: binaryOp("chlo.polygamma", sameType(floating), 0),
	OpZeta:      binaryOp("chlo.zeta", sameType(floating), 0),

	// Ops with several operands.
	OpAdd:                  binaryOp("stablehlo.add", sameType(anyElement), Commutative),
	OpAtan2:                binaryOp("stablehlo.atan2", sameType(inexact), 0),
	OpAnd:                  binaryOp("stablehlo.and", sameType(integer|boolean), Commutative),
	OpComplex:              binaryOp("stablehlo.complex", inferComplex, 0),
	OpDivide:               binaryOp("stablehlo.divide", sameType(numeric), 0),
	OpMaximum:              binaryOp("stablehlo.maximum", sameType(anyElement), Commutative),
	OpMinimum:              binaryOp("stablehlo.minimum", sameType(anyElement), Commutative),
	OpMultiply:             binaryOp("stablehlo.multiply", sameType(anyElement), Commutative),
	OpOr:                   binaryOp("stablehlo.or", sameType(integer|boolean), Commutative),
	OpPower:                binaryOp("stablehlo.power", sameType(numeric), 0),
	OpRemainder:            binaryOp("stablehlo.remainder", sameType(numeric), 0),
	OpShiftLeft:            binaryOp("stablehlo.shift_left", sameType(integer), 0),
	OpShiftRightArithmetic: binaryOp("stablehlo.shift_right_arithmetic", sameType(integer), 0),
	OpShiftRightLogical:    binaryOp("stablehlo.shift_right_logical", sameType(integer), 0),
	OpSubtract:             binaryOp("stablehlo.subtract", sameType(numeric), 0),
	OpXor:                  binaryOp("stablehlo.xor", sameType(integer|boolean), Commutative),
	OpCompare: {Name: "stablehlo.compare", Operands: two, Results: one, Traits: Elementwise,
		Attrs: specs(enum("comparison_direction", "comparison_direction"), optEnum("compare_type", "comparison_type")),
		Infer: inferCompare},
	OpClamp:  {Name: "stablehlo.clamp", Operands: three, Args: "min, operand, max", Results: one, Traits: Elementwise, Infer: inferClamp},
	OpSelect: {Name: "stablehlo.select", Operands: three, Args: "pred, on_true, on_false", Results: one, Traits: Elementwise, Infer: inferSelect},
	OpMap: {Name: "stablehlo.map", Operands: oneOrMore, Args: "inputs...", Results: one, Regions: one, Traits: Elementwise | ScalarBody,
		Attrs: specs(req("dimensions", KindInts)), Infer: inferMap},
}

var dataOps = map[OpKind]OpInfo{
	OpConstant: {Name: "stablehlo.constant", Operands: none, Results: one,
		Attrs: specs(req("value", KindDense)), Infer: inferConstant},
	OpIota: {Name: "stablehlo.iota", Operands: none, Results: one,
		Attrs:   specs(req("iota_dimension", KindInt)),
		NoInfer: "the result's shape is the op's only input", Check: checkIota},
	OpBroadcastInDim: {Name: "stablehlo.broadcast_in_dim", Operands: one, Results: one,
		Attrs:   specs(req("broadcast_dimensions", KindInts)),
		NoInfer: "the shape to broadcast to is the result's", Check: checkBroadcastInDim},
	OpReshape: {Name: "stablehlo.reshape", Operands: one, Results: one,
		NoInfer: "the new shape is the result's", Check: checkReshape},
	OpTranspose: {Name: "stablehlo.transpose", Operands: one, Results: one,
		Attrs: specs(req("permutation", KindInts)), Infer: inferTranspose},
	OpBitcastConvert: {Name: "stablehlo.bitcast_convert", Operands: one, Results: one,
		NoInfer: "the element type to convert to is the result's", Check: checkBitcastConvert},
	OpSlice: {Name: "stablehlo.slice", Operands: one, Results: one,
		Attrs: specs(req("start_indices", KindInts), req("limit_indices", KindInts), req("strides", KindInts)), Infer: inferSlice},
	OpPad: {Name: "stablehlo.pad", Operands: two, Args: "operand, padding_value", Results: one,
		Attrs: specs(req("edge_padding_low", KindInts), req("edge_padding_high", KindInts), req("interior_padding", KindInts)), Infer: inferPad},
	OpConcatenate: {Name: "stablehlo.concatenate", Operands: oneOrMore, Args: "inputs...", Results: one,
		Attrs: specs(req("dimension", KindInt)), Infer: inferConcatenate},
	OpReverse: {Name: "stablehlo.reverse", Operands: one, Results: one,
		Attrs: specs(req("dimensions", KindInts)), Infer: inferReverse},
	OpDynamicSlice: {Name: "stablehlo.dynamic_slice", Operands: oneOrMore, Args: "operand, start_indices...", Results: one,
		Attrs: specs(req("slice_sizes", KindInts)), Infer: inferDynamicSlice},
	OpDynamicUpdateSlice: {Name: "stablehlo.dynamic_update_slice", Operands: twoOrMore, Args: "operand, update, start_indices...", Results: one, Infer: inferDynamicUpdateSlice},
	OpGather: {Name: "stablehlo.gather", Operands: two, Args: "operand, start_indices", Results: one,
		Attrs: specs(req("dimension_numbers", KindGather), req("slice_sizes", KindInts), optBool("indices_are_sorted")),
		Infer: inferGather},
	OpScatter: {Name: "stablehlo.scatter", Operands: threeOrMore, Args: "inputs..., scatter_indices, updates...", Results: oneOrMore, Regions: one, Traits: ScalarBody,
		Attrs: specs(req("scatter_dimension_numbers", KindScatter), optBool("indices_are_sorted"), optBool("unique_indices")),
		Infer: inferScatter},
}

var numericOps = map[OpKind]OpInfo{
	// Contractions, reductions, windows, sorting.
	OpDotGeneral: {Name: "stablehlo.dot_general", Operands: two, Results: one,
		Attrs: specs(req("dot_dimension_numbers", KindDot), precisionConfig, AttrSpec{Name: "algorithm", Kind: KindRaw, Enum: "dot_algorithm", Optional: true}),
		Infer: inferDotGeneral, Check: checkDims(inferDotGeneral)},
	OpDot: {Name: "stablehlo.dot", Operands: two, Results: one, Attrs: specs(precisionConfig),
		Infer: inferDot, Check: checkDims(inferDot)},
	OpConvolution: {Name: "stablehlo.convolution", Operands: two, Args: "lhs, rhs", Results: one,
		Attrs: specs(optOnes("window_strides"), optPadding("padding"), optOnes("lhs_dilation"), optOnes("rhs_dilation"),
			optFalses("window_reversal"), req("dimension_numbers", KindConv), req("feature_group_count", KindInt),
			req("batch_group_count", KindInt), precisionConfig),
		Infer: inferConvolution, Check: checkDims(inferConvolution)},
	OpReduce: {Name: "stablehlo.reduce", Operands: twoOrMore, Args: "inputs..., init_values...", Results: oneOrMore, Regions: one, Traits: ScalarBody,
		Attrs: specs(req("dimensions", KindInts)), Infer: inferReduce},
	OpReduceWindow: {Name: "stablehlo.reduce_window", Operands: twoOrMore, Args: "inputs..., init_values...", Results: oneOrMore, Regions: one, Traits: ScalarBody,
		Attrs: specs(req("window_dimensions", KindInts), optOnes("window_strides"), optOnes("base_dilations"),
			optOnes("window_dilations"), optPadding("padding")),
		Infer: inferReduceWindow},
	OpSelectAndScatter: {Name: "stablehlo.select_and_scatter", Operands: three, Args: "operand, source, init_value", Results: one, Regions: two, Traits: ScalarBody,
		Attrs: specs(optOnes("window_dimensions"), optOnes("window_strides"), optPadding("padding")),
		Infer: inferSelectAndScatter},
	OpSort: {Name: "stablehlo.sort", Operands: oneOrMore, Args: "inputs...", Results: oneOrMore, Regions: one, Traits: ScalarBody,
		Attrs: specs(optDefault("dimension", KindInt, Int(-1)), optBool("is_stable")), Infer: inferSort},
	OpTopK: {Name: "chlo.top_k", Operands: one, Results: two, Attrs: specs(req("k", KindInt)), Infer: inferTopK},

	// Random numbers, linear algebra, signal processing, batch normalization.
	OpRngBitGenerator: {Name: "stablehlo.rng_bit_generator", Operands: one, Args: "initial_state", Results: two,
		Attrs:   specs(enum("rng_algorithm", "rng_algorithm")),
		NoInfer: "how many bits to make is said by the second result's type", Check: checkRngBitGenerator},
	OpRng: {Name: "stablehlo.rng", Operands: three, Args: "a, b, shape", Results: one,
		Attrs:   specs(enum("rng_distribution", "rng_distribution")),
		NoInfer: "the result's shape is the value of an operand", Check: checkRng},
	OpCholesky: {Name: "stablehlo.cholesky", Operands: one, Results: one, Attrs: specs(optBool("lower")), Infer: inferCholesky},
	OpTriangularSolve: {Name: "stablehlo.triangular_solve", Operands: two, Args: "a, b", Results: one,
		Attrs: specs(req("left_side", KindBool), req("lower", KindBool), req("unit_diagonal", KindBool), enum("transpose_a", "transpose")),
		Infer: inferTriangularSolve},
	OpFFT: {Name: "stablehlo.fft", Operands: one, Results: one,
		Attrs: specs(enum("fft_type", "fft_type"), req("fft_length", KindInts)), Infer: inferFFT},
	OpBatchNormInference: {Name: "stablehlo.batch_norm_inference", Operands: five, Args: "operand, scale, offset, mean, variance", Results: one,
		Attrs: specs(req("epsilon", KindFloat), req("feature_index", KindInt)), Infer: inferBatchNormInference},
	OpBatchNormTraining: {Name: "stablehlo.batch_norm_training", Operands: three, Args: "operand, scale, offset", Results: three,
		Attrs: specs(req("epsilon", KindFloat), req("feature_index", KindInt)), Infer: inferBatchNormTraining},
	OpBatchNormGrad: {Name: "stablehlo.batch_norm_grad", Operands: five, Args: "operand, scale, mean, variance, grad_output", Results: three,
		Attrs: specs(req("epsilon", KindFloat), req("feature_index", KindInt)), Infer: inferBatchNormGrad},
}

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
	replicaGroups = req(GroupsAttr, KindIntMatrix)
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
		Attrs: specs(req(PairsAttr, KindIntMatrix), channel), Infer: inferCollectivePermute},
	OpReduceScatter: {Name: "stablehlo.reduce_scatter", Operands: one, Results: one, Regions: one, Traits: Collective | ScalarBody,
		Attrs: specs(req("scatter_dimension", KindInt), replicaGroups, channel, globalIDs), Infer: inferReduceScatter},
	OpCrossReplicaSum: {Name: "stablehlo.cross-replica-sum", Operands: one, Results: one, Traits: Collective,
		Attrs: specs(replicaGroups), Infer: inferCollectiveBroadcast},
	OpPartitionID: {Name: "stablehlo.partition_id", Operands: none, Results: one, Infer: inferDeviceID},
	OpReplicaID:   {Name: "stablehlo.replica_id", Operands: none, Results: one, Infer: inferDeviceID},
}

var outSharding = req("out_sharding", KindSharding)

// sdyCollective returns the definition of one of Shardy's collectives, called name: one operand,
// and a result of the same type. Its attributes are attrs, and out_sharding last.
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

// spmdOps are the ops of the spmd dialect that do not communicate. The definitions of the others
// follow from the table of collectives.
var spmdOps = map[OpKind]OpInfo{
	// axis_index is the device's linear coordinate along axes. The first axis is the major one.
	OpSPMDAxisIndex: {Name: "spmd.axis_index", Operands: none, Results: one, Traits: OnMesh, Attrs: specs(axesAttr), Infer: inferAxisIndex},
}
