package partition

// This file holds the registry of the partitioner: one entry for every op kind.

import (
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// entry says how a kind of op is partitioned. Exactly one of byFactors, direct and replicated is
// set.
type entry struct {
	byFactors *factorRule // by factors, with the cheapest strategy
	// an alternative to byFactors, used if it costs less
	or         *factorRule
	direct     func(p *partitioner, op *ir.Op) error // by a function of its own
	replicated string                                // replicated on every device; the text says why
}

// The reasons for replicating an op.
const (
	notKnown    = "nothing is known of what it computes"
	isPerDevice = "it is of the per-device program, which is the result here"
	isInlined   = "the pass inline has put its body in its place"
	isEnd       = "it ends a block and goes with it"
)

// pointwise is for ops that work on shards without change.
var pointwise = &factorRule{}

// registry is indexed by ir.OpKind. init fills it, because rules refer back to it.
var registry [ir.NumOps]entry

func init() {
	registry = [ir.NumOps]entry{
		ir.OpUnregistered: {replicated: notKnown},

		ir.OpConstant:           {direct: (*partitioner).literal},
		ir.OpIota:               {direct: (*partitioner).count},
		ir.OpBroadcastInDim:     {byFactors: pointwise},
		ir.OpReshape:            {byFactors: reshaped, or: reshapedUnevenly},
		ir.OpTranspose:          {byFactors: pointwise},
		ir.OpBitcastConvert:     {byFactors: pointwise},
		ir.OpSlice:              {byFactors: sliced, or: slicedToOne},
		ir.OpPad:                {byFactors: padded},
		ir.OpConcatenate:        {byFactors: concatenated},
		ir.OpReverse:            {byFactors: reversed},
		ir.OpDynamicSlice:       {byFactors: dynamicSliced},
		ir.OpDynamicUpdateSlice: {byFactors: dynamicUpdated},
		ir.OpGather:             {byFactors: gathered},
		ir.OpScatter:            {byFactors: scattered},

		ir.OpDotGeneral:       {byFactors: contraction},
		ir.OpDot:              {byFactors: contraction},
		ir.OpConvolution:      {byFactors: convolution},
		ir.OpReduce:           {byFactors: reduction},
		ir.OpReduceWindow:     {byFactors: windowed},
		ir.OpSelectAndScatter: {byFactors: windowScattered},
		ir.OpSort:             {byFactors: pointwise},
		ir.OpTopK:             {byFactors: pointwise},

		ir.OpRngBitGenerator:    {direct: (*partitioner).randomBits},
		ir.OpRng:                {replicated: "its numbers come from a state of the device, so all must be made in one place"},
		ir.OpCholesky:           {byFactors: pointwise},
		ir.OpTriangularSolve:    {byFactors: pointwise},
		ir.OpFFT:                {byFactors: pointwise},
		ir.OpBatchNormInference: {byFactors: pointwise},
		ir.OpBatchNormTraining:  {direct: batchNorm((*normalization).training)},
		ir.OpBatchNormGrad:      {direct: batchNorm((*normalization).grad)},

		ir.OpWhile:               {direct: (*partitioner).while},
		ir.OpIf:                  {direct: (*partitioner).branch},
		ir.OpCase:                {direct: (*partitioner).branch},
		ir.OpReturn:              {replicated: isEnd},
		ir.OpCall:                {replicated: isInlined},
		ir.OpComposite:           {replicated: "what it decomposes to is a function of global tensors"},
		ir.OpFuncReturn:          {replicated: isEnd},
		ir.OpCustomCall:          {byFactors: customCall},
		ir.OpOptimizationBarrier: {direct: (*partitioner).barrier},
		ir.OpAfterAll:            {replicated: "tokens have no dimensions"},
		ir.OpCreateToken:         {replicated: "tokens have no dimensions"},

		ir.OpAllGather:           {direct: (*partitioner).collective},
		ir.OpAllReduce:           {direct: (*partitioner).collective},
		ir.OpAllToAll:            {direct: (*partitioner).collective},
		ir.OpCollectiveBroadcast: {direct: (*partitioner).collective},
		ir.OpCollectivePermute:   {direct: (*partitioner).collective},
		ir.OpReduceScatter:       {direct: (*partitioner).collective},
		ir.OpCrossReplicaSum:     {direct: (*partitioner).collective},
		ir.OpPartitionID:         {direct: (*partitioner).deviceID},
		ir.OpReplicaID:           {direct: (*partitioner).deviceID},

		ir.OpShardingConstraint:       {direct: (*partitioner).state},
		ir.OpReshard:                  {direct: (*partitioner).state},
		ir.OpPropagationBarrier:       {direct: (*partitioner).pass},
		ir.OpShardingGroup:            {direct: (*partitioner).drop},
		ir.OpDataFlowEdge:             {direct: (*partitioner).pass},
		ir.OpFuncDataFlowEdge:         {direct: (*partitioner).pass},
		ir.OpManualComputation:        {direct: (*partitioner).manualComputation},
		ir.OpNamedComputation:         {replicated: isInlined},
		ir.OpSdyReturn:                {replicated: isEnd},
		ir.OpSdyConstant:              {direct: (*partitioner).literal},
		ir.OpSdyAllGather:             {direct: (*partitioner).state},
		ir.OpSdyAllSlice:              {direct: (*partitioner).state},
		ir.OpSdyAllReduce:             {direct: (*partitioner).state},
		ir.OpSdyAllToAll:              {direct: (*partitioner).state},
		ir.OpSdyCollectivePermute:     {direct: (*partitioner).state},
		ir.OpSdyReduceScatter:         {direct: (*partitioner).state},
		ir.OpSdyReplicatedToUnreduced: {direct: (*partitioner).state},
		ir.OpSdyShardedToUnreduced:    {direct: (*partitioner).state},
	}
	ir.EachOpInfo(func(info *ir.OpInfo) {
		if info.Is(ir.OnMesh) {
			registry[info.Kind] = entry{replicated: isPerDevice}
		}
		if info.Is(ir.Elementwise) {
			registry[info.Kind] = entry{byFactors: pointwise}
		}
	})
}

// run partitions op as its entry e in the registry says: by factor rules, by a function of its own,
// or replicated. It returns the error of that function, or of an op in a region. It panics if the
// entry is empty.
func (p *partitioner) run(e *entry, op *ir.Op) error {
	switch {
	case e.or != nil:
		return p.partitionByFactors(op, e.byFactors, e.or)
	case e.byFactors != nil:
		return p.partitionByFactors(op, e.byFactors)
	case e.direct != nil:
		return e.direct(p, op)
	case e.replicated != "":
		return p.replicate(op)
	}
	panic(fmt.Sprintf("BUG: the registry lacks %s", op.FullName()))
}

// Families maps every op kind to the way in which it is partitioned: "by factors", "direct", or the
// reason why it is replicated.
func Families() map[ir.OpKind]string {
	out := map[ir.OpKind]string{}
	for k := range registry {
		switch e := registry[k]; {
		case e.byFactors != nil:
			out[ir.OpKind(k)] = "by factors"
		case e.direct != nil:
			out[ir.OpKind(k)] = "direct"
		default:
			out[ir.OpKind(k)] = e.replicated
		}
	}
	return out
}

// reductionFactors are the kinds of factors, besides PassThrough, of ops that sum.
var reductionFactors = []factor.Kind{factor.Reduction}
