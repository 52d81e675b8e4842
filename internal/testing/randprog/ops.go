package randprog

// This file holds the table of makers, which build a random op of each kind.

import "github.com/gospmd/gospmd/ir"

// maker has the function that builds an op of one kind, or the reason why there is none.
type maker struct {
	make func(g *generator) *ir.Op // a nil op means that no operands were found
	none string                    // why programs that run have none

	// loose makes an op for programs that are propagated and not run. If make is set too, each of the
	// two makes half of the ops.
	loose func(g *generator) *ir.Op
}

// draw makes a random op of the maker's kind in the program of g. It returns nil if no operands
// were found.
func (m maker) draw(g *generator) *ir.Op {
	switch {
	case g.loose != nil && m.loose != nil && (m.make == nil || g.rng.IntN(2) == 0):
		return m.loose(g)
	case m.make != nil:
		return m.make(g)
	}
	return nil
}

// Reasons why programs that run have no op of a kind.
const (
	notAnOp     = "it ends a block or belongs to another op"
	notGlobal   = "it is of per-device programs"
	needsModule = "it calls a function; package compile's tests of inline have it"
	hasEffects  = "what it computes is its target's or device's own business"
	isToken     = "tokens carry no numbers"
	steers      = "it steers propagation"
)

// makers is indexed by ir.OpKind; init fills in the element-wise ops.
var makers [ir.NumOps]maker

func init() {
	makers = [ir.NumOps]maker{
		ir.OpUnregistered: {none: hasEffects},

		ir.OpConvert:         {make: makeConvert},
		ir.OpReducePrecision: {make: makeReducePrecision},
		ir.OpComplex:         {make: makeComplex},
		ir.OpCompare:         {make: makeCompare},
		ir.OpClamp:           {make: makeClamp},
		ir.OpSelect:          {make: makeSelect},
		ir.OpMap:             {make: makeMap},

		ir.OpConstant:           {make: makeConstant, loose: makeUsedConstant},
		ir.OpIota:               {make: makeIota},
		ir.OpBroadcastInDim:     {make: makeBroadcast},
		ir.OpReshape:            {make: makeReshape},
		ir.OpTranspose:          {make: makeTranspose},
		ir.OpBitcastConvert:     {make: makeBitcast},
		ir.OpSlice:              {make: makeSlice},
		ir.OpPad:                {make: makePad},
		ir.OpConcatenate:        {make: makeConcatenate},
		ir.OpReverse:            {make: makeReverse},
		ir.OpDynamicSlice:       {make: makeDynamicSlice},
		ir.OpDynamicUpdateSlice: {make: makeDynamicUpdateSlice},
		ir.OpGather:             {make: makeGather},
		ir.OpScatter:            {make: makeScatter},

		ir.OpDotGeneral:       {make: makeDotGeneral},
		ir.OpDot:              {make: makeDot},
		ir.OpConvolution:      {make: makeConvolution},
		ir.OpReduce:           {make: makeReduce},
		ir.OpReduceWindow:     {make: makeReduceWindow},
		ir.OpSelectAndScatter: {make: makeSelectAndScatter},
		ir.OpSort:             {make: makeSort},
		ir.OpTopK:             {make: makeTopK},

		ir.OpRngBitGenerator:    {make: makeRngBitGenerator},
		ir.OpRng:                {none: hasEffects},
		ir.OpCholesky:           {make: makeCholesky},
		ir.OpTriangularSolve:    {make: makeTriangularSolve},
		ir.OpFFT:                {make: makeFFT},
		ir.OpBatchNormInference: {make: makeBatchNormInference},
		ir.OpBatchNormTraining:  {make: makeBatchNormTraining},
		ir.OpBatchNormGrad:      {make: makeBatchNormGrad},

		ir.OpWhile:               {make: makeWhile, loose: makeNestedWhile},
		ir.OpIf:                  {make: makeIf},
		ir.OpCase:                {make: makeCase, loose: makeNestedCase},
		ir.OpReturn:              {none: notAnOp},
		ir.OpCall:                {none: needsModule, loose: makeCall},
		ir.OpComposite:           {none: needsModule},
		ir.OpFuncReturn:          {none: notAnOp},
		ir.OpCustomCall:          {make: makeCustomCall, loose: makeOpaqueCall},
		ir.OpOptimizationBarrier: {make: makeBarrier},
		ir.OpAfterAll:            {none: isToken},
		ir.OpCreateToken:         {none: isToken},

		ir.OpAllGather:           {none: notGlobal},
		ir.OpAllReduce:           {none: notGlobal},
		ir.OpAllToAll:            {none: notGlobal},
		ir.OpCollectiveBroadcast: {none: notGlobal},
		ir.OpCollectivePermute:   {none: notGlobal},
		ir.OpReduceScatter:       {none: notGlobal},
		ir.OpCrossReplicaSum:     {none: notGlobal},
		ir.OpPartitionID:         {none: notGlobal},
		ir.OpReplicaID:           {none: notGlobal},

		ir.OpShardingConstraint:       {none: "step adds it after other ops", loose: makeConstraint(ir.OpShardingConstraint)},
		ir.OpReshard:                  {none: "as sharding_constraint", loose: makeConstraint(ir.OpReshard)},
		ir.OpPropagationBarrier:       {none: steers, loose: makePropagationBarrier},
		ir.OpShardingGroup:            {none: steers, loose: makeGroup},
		ir.OpFuncDataFlowEdge:         {none: steers},
		ir.OpDataFlowEdge:             {none: steers},
		ir.OpManualComputation:        {none: "its body is per-device; package compile's tests have it", loose: makeManualComputation},
		ir.OpNamedComputation:         {none: needsModule, loose: makeNamedComputation},
		ir.OpSdyReturn:                {none: notAnOp},
		ir.OpSdyConstant:              {none: "as constant"},
		ir.OpSdyAllGather:             {none: "as sharding_constraint"},
		ir.OpSdyAllSlice:              {none: "as sharding_constraint"},
		ir.OpSdyAllReduce:             {none: "as sharding_constraint"},
		ir.OpSdyAllToAll:              {none: "as sharding_constraint"},
		ir.OpSdyCollectivePermute:     {none: "as sharding_constraint"},
		ir.OpSdyReduceScatter:         {none: "as sharding_constraint"},
		ir.OpSdyReplicatedToUnreduced: {none: "as sharding_constraint"},
		ir.OpSdyShardedToUnreduced:    {none: "as sharding_constraint"},
	}
	ir.EachOpInfo(func(info *ir.OpInfo) {
		if info.Is(ir.OnMesh) {
			makers[info.Kind] = maker{none: notGlobal}
		}
		if info.Is(ir.Elementwise) && makers[info.Kind].make == nil {
			makers[info.Kind] = maker{make: func(g *generator) *ir.Op { return makeElementwise(g, info.Kind) }}
		}
	})
}
