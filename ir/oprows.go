package ir

// This file holds the rows of the op table and looks them up.

import "fmt"

// table is indexed by OpKind.
var table [NumOps]OpInfo

// rows returns the table's content. It is a function because defaults refer
// back to the table.
func rows() [NumOps]OpInfo {
	return [NumOps]OpInfo{
		OpUnregistered: {Name: "unregistered", Operands: any_, Results: any_, Regions: any_, Traits: SideEffect, NoInfer: "nothing is known of the op"},

		// Element-wise, one operand.
		OpAbs:               {Name: "stablehlo.abs", Operands: one, Results: one, Traits: Elementwise},
		OpCbrt:              {Name: "stablehlo.cbrt", Operands: one, Results: one, Traits: Elementwise},
		OpCeil:              {Name: "stablehlo.ceil", Operands: one, Results: one, Traits: Elementwise},
		OpCountLeadingZeros: {Name: "stablehlo.count_leading_zeros", Operands: one, Results: one, Traits: Elementwise},
		OpCosine:            {Name: "stablehlo.cosine", Operands: one, Results: one, Traits: Elementwise},
		OpExpM1:             {Name: "stablehlo.exponential_minus_one", Operands: one, Results: one, Traits: Elementwise},
		OpFloor:             {Name: "stablehlo.floor", Operands: one, Results: one, Traits: Elementwise},
		OpImag:              {Name: "stablehlo.imag", Operands: one, Results: one, Traits: Elementwise},
		OpIsFinite:          {Name: "stablehlo.is_finite", Operands: one, Results: one, Traits: Elementwise},
		OpLog1p:             {Name: "stablehlo.log_plus_one", Operands: one, Results: one, Traits: Elementwise},
		OpNegate:            {Name: "stablehlo.negate", Operands: one, Results: one, Traits: Elementwise},
		OpNot:               {Name: "stablehlo.not", Operands: one, Results: one, Traits: Elementwise},
		OpPopcnt:            {Name: "stablehlo.popcnt", Operands: one, Results: one, Traits: Elementwise},
		OpReal:              {Name: "stablehlo.real", Operands: one, Results: one, Traits: Elementwise},
		OpRoundAFZ:          {Name: "stablehlo.round_nearest_afz", Operands: one, Results: one, Traits: Elementwise},
		OpRoundEven:         {Name: "stablehlo.round_nearest_even", Operands: one, Results: one, Traits: Elementwise},
		OpSign:              {Name: "stablehlo.sign", Operands: one, Results: one, Traits: Elementwise},
		OpExp:               {Name: "stablehlo.exponential", Operands: one, Results: one, Traits: Elementwise, Attrs: specs(opt("result_accuracy", KindRaw))},
		OpLog:               {Name: "stablehlo.log", Operands: one, Results: one, Traits: Elementwise, Attrs: specs(opt("result_accuracy", KindRaw))},
		OpLogistic:          {Name: "stablehlo.logistic", Operands: one, Results: one, Traits: Elementwise, Attrs: specs(opt("result_accuracy", KindRaw))},
		OpRsqrt:             {Name: "stablehlo.rsqrt", Operands: one, Results: one, Traits: Elementwise, Attrs: specs(opt("result_accuracy", KindRaw))},
		OpSine:              {Name: "stablehlo.sine", Operands: one, Results: one, Traits: Elementwise, Attrs: specs(opt("result_accuracy", KindRaw))},
		OpSqrt:              {Name: "stablehlo.sqrt", Operands: one, Results: one, Traits: Elementwise, Attrs: specs(opt("result_accuracy", KindRaw))},
		OpTan:               {Name: "stablehlo.tan", Operands: one, Results: one, Traits: Elementwise, Attrs: specs(opt("result_accuracy", KindRaw))},
		OpTanh:              {Name: "stablehlo.tanh", Operands: one, Results: one, Traits: Elementwise, Attrs: specs(opt("result_accuracy", KindRaw))},
		OpErf:               {Name: "chlo.erf", Operands: one, Results: one, Traits: Elementwise},
		OpConvert:           {Name: "stablehlo.convert", Operands: one, Results: one, Traits: Elementwise},
		OpReducePrecision:   {Name: "stablehlo.reduce_precision", Operands: one, Results: one, Traits: Elementwise, Attrs: specs(req("exponent_bits", KindInt32), req("mantissa_bits", KindInt32))},

		// Element-wise, more operands.
		OpAdd:                  {Name: "stablehlo.add", Operands: two, Results: one, Traits: Elementwise | Commutative},
		OpAtan2:                {Name: "stablehlo.atan2", Operands: two, Results: one, Traits: Elementwise},
		OpAnd:                  {Name: "stablehlo.and", Operands: two, Results: one, Traits: Elementwise | Commutative},
		OpComplex:              {Name: "stablehlo.complex", Operands: two, Results: one, Traits: Elementwise},
		OpDivide:               {Name: "stablehlo.divide", Operands: two, Results: one, Traits: Elementwise},
		OpMaximum:              {Name: "stablehlo.maximum", Operands: two, Results: one, Traits: Elementwise | Commutative},
		OpMinimum:              {Name: "stablehlo.minimum", Operands: two, Results: one, Traits: Elementwise | Commutative},
		OpMultiply:             {Name: "stablehlo.multiply", Operands: two, Results: one, Traits: Elementwise | Commutative},
		OpOr:                   {Name: "stablehlo.or", Operands: two, Results: one, Traits: Elementwise | Commutative},
		OpPower:                {Name: "stablehlo.power", Operands: two, Results: one, Traits: Elementwise},
		OpRemainder:            {Name: "stablehlo.remainder", Operands: two, Results: one, Traits: Elementwise},
		OpShiftLeft:            {Name: "stablehlo.shift_left", Operands: two, Results: one, Traits: Elementwise},
		OpShiftRightArithmetic: {Name: "stablehlo.shift_right_arithmetic", Operands: two, Results: one, Traits: Elementwise},
		OpShiftRightLogical:    {Name: "stablehlo.shift_right_logical", Operands: two, Results: one, Traits: Elementwise},
		OpSubtract:             {Name: "stablehlo.subtract", Operands: two, Results: one, Traits: Elementwise},
		OpXor:                  {Name: "stablehlo.xor", Operands: two, Results: one, Traits: Elementwise | Commutative},
		OpCompare:              {Name: "stablehlo.compare", Operands: two, Results: one, Traits: Elementwise, Attrs: specs(enum("comparison_direction", "comparison_direction"), optEnum("compare_type", "comparison_type"))},
		OpClamp:                {Name: "stablehlo.clamp", Operands: three, Results: one, Traits: Elementwise},
		OpSelect:               {Name: "stablehlo.select", Operands: three, Results: one, Traits: Elementwise},
		OpMap:                  {Name: "stablehlo.map", Operands: oneOrMore, Results: one, Regions: one, Traits: ScalarBody, Attrs: specs(req("dimensions", KindInts))},

		// Making, shaping and moving data.
		OpConstant:           {Name: "stablehlo.constant", Operands: none, Results: one, Attrs: specs(req("value", KindDense))},
		OpIota:               {Name: "stablehlo.iota", Operands: none, Results: one, Attrs: specs(req("iota_dimension", KindInt))},
		OpBroadcastInDim:     {Name: "stablehlo.broadcast_in_dim", Operands: one, Results: one, Attrs: specs(req("broadcast_dimensions", KindInts))},
		OpReshape:            {Name: "stablehlo.reshape", Operands: one, Results: one},
		OpTranspose:          {Name: "stablehlo.transpose", Operands: one, Results: one, Attrs: specs(req("permutation", KindInts))},
		OpBitcastConvert:     {Name: "stablehlo.bitcast_convert", Operands: one, Results: one},
		OpSlice:              {Name: "stablehlo.slice", Operands: one, Results: one, Attrs: specs(req("start_indices", KindInts), req("limit_indices", KindInts), req("strides", KindInts))},
		OpPad:                {Name: "stablehlo.pad", Operands: two, Results: one, Attrs: specs(req("edge_padding_low", KindInts), req("edge_padding_high", KindInts), req("interior_padding", KindInts))},
		OpConcatenate:        {Name: "stablehlo.concatenate", Operands: oneOrMore, Results: one, Attrs: specs(req("dimension", KindInt))},
		OpReverse:            {Name: "stablehlo.reverse", Operands: one, Results: one, Attrs: specs(req("dimensions", KindInts))},
		OpDynamicSlice:       {Name: "stablehlo.dynamic_slice", Operands: oneOrMore, Results: one, Attrs: specs(req("slice_sizes", KindInts))},
		OpDynamicUpdateSlice: {Name: "stablehlo.dynamic_update_slice", Operands: Arity{2, -1}, Results: one},
		OpGather:             {Name: "stablehlo.gather", Operands: two, Results: one, Attrs: specs(req("dimension_numbers", KindGather), req("slice_sizes", KindInts), optBool("indices_are_sorted"))},
		OpScatter:            {Name: "stablehlo.scatter", Operands: Arity{3, -1}, Results: oneOrMore, Regions: one, Traits: ScalarBody, Attrs: specs(req("scatter_dimension_numbers", KindScatter), optBool("indices_are_sorted"), optBool("unique_indices"))},

		// Contractions, reductions, windows, sorting.
		OpDotGeneral:       {Name: "stablehlo.dot_general", Operands: two, Results: one, Attrs: specs(req("dot_dimension_numbers", KindDot), opt("precision_config", KindArray), opt("algorithm", KindRaw))},
		OpDot:              {Name: "stablehlo.dot", Operands: two, Results: one, Attrs: specs(opt("precision_config", KindArray))},
		OpConvolution:      {Name: "stablehlo.convolution", Operands: two, Results: one, Attrs: specs(optInts("window_strides", 1), optMatrix("padding"), optInts("lhs_dilation", 1), optInts("rhs_dilation", 1), opt("window_reversal", KindBools), req("dimension_numbers", KindConv), req("feature_group_count", KindInt), req("batch_group_count", KindInt), opt("precision_config", KindArray))},
		OpReduce:           {Name: "stablehlo.reduce", Operands: Arity{2, -1}, Results: oneOrMore, Regions: one, Traits: ScalarBody, Attrs: specs(req("dimensions", KindInts))},
		OpReduceWindow:     {Name: "stablehlo.reduce_window", Operands: Arity{2, -1}, Results: oneOrMore, Regions: one, Traits: ScalarBody, Attrs: specs(req("window_dimensions", KindInts), optInts("window_strides", 1), optInts("base_dilations", 1), optInts("window_dilations", 1), optMatrix("padding"))},
		OpSelectAndScatter: {Name: "stablehlo.select_and_scatter", Operands: three, Results: one, Regions: two, Traits: ScalarBody, Attrs: specs(optInts("window_dimensions", 1), optInts("window_strides", 1), optMatrix("padding"))},
		OpSort:             {Name: "stablehlo.sort", Operands: oneOrMore, Results: oneOrMore, Regions: one, Traits: ScalarBody, Attrs: specs(opt("dimension", KindInt), optBool("is_stable"))},
		OpTopK:             {Name: "chlo.top_k", Operands: one, Results: two, Attrs: specs(req("k", KindInt))},

		// Random numbers, linear algebra, signal processing, batch normalization.
		OpRngBitGenerator:    {Name: "stablehlo.rng_bit_generator", Operands: one, Results: two, Attrs: specs(enum("rng_algorithm", "rng_algorithm"))},
		OpRng:                {Name: "stablehlo.rng", Operands: three, Results: one, Attrs: specs(enum("rng_distribution", "rng_distribution"))},
		OpCholesky:           {Name: "stablehlo.cholesky", Operands: one, Results: one, Attrs: specs(optBool("lower"))},
		OpTriangularSolve:    {Name: "stablehlo.triangular_solve", Operands: two, Results: one, Attrs: specs(req("left_side", KindBool), req("lower", KindBool), req("unit_diagonal", KindBool), enum("transpose_a", "transpose"))},
		OpFFT:                {Name: "stablehlo.fft", Operands: one, Results: one, Attrs: specs(enum("fft_type", "fft_type"), req("fft_length", KindInts))},
		OpBatchNormInference: {Name: "stablehlo.batch_norm_inference", Operands: Arity{5, 5}, Results: one, Attrs: specs(req("epsilon", KindFloat), req("feature_index", KindInt))},
		OpBatchNormTraining:  {Name: "stablehlo.batch_norm_training", Operands: three, Results: three, Attrs: specs(req("epsilon", KindFloat), req("feature_index", KindInt))},
		OpBatchNormGrad:      {Name: "stablehlo.batch_norm_grad", Operands: Arity{5, 5}, Results: three, Attrs: specs(req("epsilon", KindFloat), req("feature_index", KindInt))},

		// Control flow, calls and ordering.
		OpWhile:               {Name: "stablehlo.while", Operands: any_, Results: any_, Regions: two},
		OpIf:                  {Name: "stablehlo.if", Operands: one, Results: any_, Regions: two},
		OpCase:                {Name: "stablehlo.case", Operands: one, Results: any_, Regions: oneOrMore},
		OpReturn:              {Name: "stablehlo.return", Operands: any_, Results: none, Traits: Terminator},
		OpCall:                {Name: "func.call", Operands: any_, Results: any_, Attrs: specs(req("callee", KindSymbol))},
		OpFuncReturn:          {Name: "func.return", Operands: any_, Results: none, Traits: Terminator},
		OpCustomCall:          {Name: "stablehlo.custom_call", Operands: any_, Results: any_, Attrs: specs(req("call_target_name", KindString), optBool("has_side_effect"), opt("backend_config", KindAny), opt("api_version", KindInt32), opt("called_computations", KindArray), opt("operand_layouts", KindArray), opt("result_layouts", KindArray), opt("output_operand_aliases", KindArray))},
		OpOptimizationBarrier: {Name: "stablehlo.optimization_barrier", Operands: any_, Results: any_},
		OpAfterAll:            {Name: "stablehlo.after_all", Operands: any_, Results: one},
		OpCreateToken:         {Name: "stablehlo.create_token", Operands: none, Results: one},

		// StableHLO collectives.
		OpAllGather:           {Name: "stablehlo.all_gather", Operands: oneOrMore, Results: oneOrMore, Traits: Collective, Attrs: specs(req("all_gather_dim", KindInt), req("replica_groups", KindIntMatrix), opt("channel_handle", KindChannel), opt("use_global_device_ids", KindUnit))},
		OpAllReduce:           {Name: "stablehlo.all_reduce", Operands: oneOrMore, Results: oneOrMore, Regions: one, Traits: Collective | ScalarBody, Attrs: specs(req("replica_groups", KindIntMatrix), opt("channel_handle", KindChannel), opt("use_global_device_ids", KindUnit))},
		OpAllToAll:            {Name: "stablehlo.all_to_all", Operands: oneOrMore, Results: oneOrMore, Traits: Collective, Attrs: specs(req("split_dimension", KindInt), req("concat_dimension", KindInt), req("split_count", KindInt), req("replica_groups", KindIntMatrix), opt("channel_handle", KindChannel))},
		OpCollectiveBroadcast: {Name: "stablehlo.collective_broadcast", Operands: one, Results: one, Traits: Collective, Attrs: specs(req("replica_groups", KindIntMatrix), opt("channel_handle", KindChannel))},
		OpCollectivePermute:   {Name: "stablehlo.collective_permute", Operands: one, Results: one, Traits: Collective, Attrs: specs(req("source_target_pairs", KindIntMatrix), opt("channel_handle", KindChannel))},
		OpReduceScatter:       {Name: "stablehlo.reduce_scatter", Operands: one, Results: one, Regions: one, Traits: Collective | ScalarBody, Attrs: specs(req("scatter_dimension", KindInt), req("replica_groups", KindIntMatrix), opt("channel_handle", KindChannel), opt("use_global_device_ids", KindUnit))},
		OpCrossReplicaSum:     {Name: "stablehlo.cross-replica-sum", Operands: one, Results: one, Traits: Collective, Attrs: specs(req("replica_groups", KindIntMatrix))},
		OpPartitionID:         {Name: "stablehlo.partition_id", Operands: none, Results: one},
		OpReplicaID:           {Name: "stablehlo.replica_id", Operands: none, Results: one},

		// Shardy's dialect.
		OpShardingConstraint:   {Name: "sdy.sharding_constraint", Operands: one, Results: one, Attrs: specs(req("sharding", KindSharding))},
		OpReshard:              {Name: "sdy.reshard", Operands: one, Results: one, Attrs: specs(req("sharding", KindSharding))},
		OpPropagationBarrier:   {Name: "sdy.propagation_barrier", Operands: one, Results: one, Attrs: specs(enum("allowed_direction", "propagation_direction"))},
		OpShardingGroup:        {Name: "sdy.sharding_group", Operands: one, Results: none, Traits: SideEffect, Attrs: specs(req("group_id", KindInt))},
		OpDataFlowEdge:         {Name: "sdy.data_flow_edge", Operands: one, Results: one, Attrs: specs(opt("sharding", KindSharding))},
		OpManualComputation:    {Name: "sdy.manual_computation", Operands: any_, Results: any_, Regions: one, Attrs: specs(req("in_shardings", KindShardings), req("out_shardings", KindShardings), req("manual_axes", KindAxes))},
		OpNamedComputation:     {Name: "sdy.named_computation", Operands: any_, Results: any_, Regions: one, Attrs: specs(req("name", KindString), opt("in_shardings", KindShardings), opt("out_shardings", KindShardings))},
		OpSdyReturn:            {Name: "sdy.return", Operands: any_, Results: none, Traits: Terminator},
		OpSdyConstant:          {Name: "sdy.constant", Operands: none, Results: one, Attrs: specs(req("value", KindDense))},
		OpSdyAllGather:         {Name: "sdy.all_gather", Operands: one, Results: one, Traits: Collective, Attrs: specs(req("gathering_axes", KindAxesPerDim), req("out_sharding", KindSharding))},
		OpSdyAllSlice:          {Name: "sdy.all_slice", Operands: one, Results: one, Traits: Collective, Attrs: specs(req("slicing_axes", KindAxesPerDim), req("out_sharding", KindSharding))},
		OpSdyAllReduce:         {Name: "sdy.all_reduce", Operands: one, Results: one, Traits: Collective, Attrs: specs(req("reduction_axes", KindAxes), req("out_sharding", KindSharding))},
		OpSdyAllToAll:          {Name: "sdy.all_to_all", Operands: one, Results: one, Traits: Collective, Attrs: specs(req("params", KindRaw), req("out_sharding", KindSharding))},
		OpSdyCollectivePermute: {Name: "sdy.collective_permute", Operands: one, Results: one, Traits: Collective, Attrs: specs(req("out_sharding", KindSharding))},
		OpSdyReduceScatter:     {Name: "sdy.reduce_scatter", Operands: one, Results: one, Traits: Collective, Attrs: specs(req("reduce_scatter_axes", KindAxesPerDim), req("out_sharding", KindSharding))},
	}
}

var kindByName = make(map[string]OpKind, NumOps)

func init() {
	table = rows()
	for k := range table {
		table[k].Kind = OpKind(k)
		kindByName[table[k].Name] = OpKind(k)
	}
}

// Info returns the row of k.
func (k OpKind) Info() *OpInfo { return &table[k] }

// String returns the MLIR name: stablehlo.add.
func (k OpKind) String() string {
	if k < 0 || k >= NumOps {
		return fmt.Sprintf("OpKind(%d)", int(k))
	}
	return table[k].Name
}

// KindByName returns the kind of an MLIR op name such as stablehlo.add, or
// OpUnregistered.
func KindByName(name string) OpKind { return kindByName[name] }

// Rows calls visit for every row but OpUnregistered, in order.
func Rows(visit func(*OpInfo)) {
	for k := OpUnregistered + 1; k < NumOps; k++ {
		visit(&table[k])
	}
}

func specs(s ...AttrSpec) []AttrSpec { return s }

func req(name string, kind AttrKind) AttrSpec { return AttrSpec{Name: name, Kind: kind} }

func opt(name string, kind AttrKind) AttrSpec {
	return AttrSpec{Name: name, Kind: kind, Optional: true}
}

func enum(name, enumeration string) AttrSpec {
	return AttrSpec{Name: name, Kind: KindEnum, Enum: enumeration}
}

func optEnum(name, enumeration string) AttrSpec {
	return AttrSpec{Name: name, Kind: KindEnum, Enum: enumeration, Optional: true}
}

// optBool is false by default.
func optBool(name string) AttrSpec {
	return AttrSpec{Name: name, Kind: KindBool, Optional: true, Default: func(*Op) Attr { return Bool(false) }}
}

// optInts repeats value by default, once for each window dimension.
func optInts(name string, value int) AttrSpec {
	return AttrSpec{Name: name, Kind: KindInts, Optional: true, Default: func(op *Op) Attr {
		out := make(Ints, windowRank(op))
		for i := range out {
			out[i] = value
		}
		return out
	}}
}

// optMatrix is no padding by default.
func optMatrix(name string) AttrSpec {
	return AttrSpec{Name: name, Kind: KindIntMatrix, Optional: true, Default: func(op *Op) Attr {
		return IntMatrix(make([][]int, windowRank(op)), 2)
	}}
}

// windowRank returns the number of window dimensions of a windowed op: the
// spatial ones of a convolution, all of the operand's for the others.
func windowRank(op *Op) int {
	if op.Kind == OpConvolution {
		return len(op.Conv().InputSpatial)
	}
	return op.Operands[0].Type.Rank()
}
