package partition

// This file holds the table of the partitioner: one row for every op kind.

import (
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// row says how a kind of op is partitioned. One of split, direct and whole is
// set.
type row struct {
	split  *factorRule                           // by factors, at the least cost
	or     *factorRule                           // beside split: another way, for when it is cheaper
	direct func(p *partitioner, op *ir.Op) error // in its own way
	whole  string                                // on whole tensors: why
}

// Reasons for running an op on whole tensors.
const (
	notKnown    = "nothing is known of what it computes"
	isPerDevice = "it is of the per-device program, which is what is made here"
	isInlined   = "the pass inline has put its body in its place"
	isEnd       = "it ends a block and goes with it"
)

var (
	// pointwise is for ops that are the same on shards.
	pointwise = &factorRule{}
)

// rows is indexed by ir.OpKind. It is filled by init, since rules refer back
// to it.
var rows [ir.NumOps]row

func init() {
	rows = [ir.NumOps]row{
		ir.OpUnregistered: {whole: notKnown},

		ir.OpConstant:           {direct: (*partitioner).literal},
		ir.OpIota:               {direct: (*partitioner).count},
		ir.OpBroadcastInDim:     {split: pointwise},
		ir.OpReshape:            {split: reshaped, or: reshapedUnevenly},
		ir.OpTranspose:          {split: pointwise},
		ir.OpBitcastConvert:     {split: pointwise},
		ir.OpSlice:              {split: sliced, or: picked},
		ir.OpPad:                {split: padded},
		ir.OpConcatenate:        {split: joined},
		ir.OpReverse:            {split: reversed},
		ir.OpDynamicSlice:       {split: dynamicSliced},
		ir.OpDynamicUpdateSlice: {split: dynamicUpdated},
		ir.OpGather:             {split: gathered},
		ir.OpScatter:            {split: scattered},

		ir.OpDotGeneral:       {split: contraction},
		ir.OpDot:              {split: contraction},
		ir.OpConvolution:      {direct: (*partitioner).convolve},
		ir.OpReduce:           {split: reduction},
		ir.OpReduceWindow:     {split: windowed},
		ir.OpSelectAndScatter: {split: windowScattered},
		ir.OpSort:             {split: pointwise},
		ir.OpTopK:             {split: pointwise},

		ir.OpRngBitGenerator:    {direct: (*partitioner).randomBits},
		ir.OpRng:                {whole: "its numbers come from a state of the device, so all must be made in one place"},
		ir.OpCholesky:           {split: pointwise},
		ir.OpTriangularSolve:    {split: pointwise},
		ir.OpFFT:                {split: pointwise},
		ir.OpBatchNormInference: {split: pointwise},
		ir.OpBatchNormTraining:  {direct: batchNorm((*normalization).training)},
		ir.OpBatchNormGrad:      {direct: batchNorm((*normalization).grad)},

		ir.OpWhile:               {direct: (*partitioner).while},
		ir.OpIf:                  {direct: (*partitioner).branch},
		ir.OpCase:                {direct: (*partitioner).branch},
		ir.OpReturn:              {whole: isEnd},
		ir.OpCall:                {whole: isInlined},
		ir.OpComposite:           {whole: "what it decomposes to is a function of whole tensors"},
		ir.OpFuncReturn:          {whole: isEnd},
		ir.OpCustomCall:          {split: customCall},
		ir.OpOptimizationBarrier: {direct: (*partitioner).barrier},
		ir.OpAfterAll:            {whole: "tokens have no dimensions"},
		ir.OpCreateToken:         {whole: "tokens have no dimensions"},

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
		ir.OpManualComputation:        {direct: (*partitioner).manual},
		ir.OpNamedComputation:         {whole: isInlined},
		ir.OpSdyReturn:                {whole: isEnd},
		ir.OpSdyConstant:              {direct: (*partitioner).literal},
		ir.OpSdyAllGather:             {direct: (*partitioner).state},
		ir.OpSdyAllSlice:              {direct: (*partitioner).state},
		ir.OpSdyAllReduce:             {direct: (*partitioner).state},
		ir.OpSdyAllToAll:              {direct: (*partitioner).state},
		ir.OpSdyCollectivePermute:     {direct: (*partitioner).state},
		ir.OpSdyReduceScatter:         {direct: (*partitioner).state},
		ir.OpSdyReplicatedToUnreduced: {direct: (*partitioner).state},
		ir.OpSdyShardedToUnreduced:    {direct: (*partitioner).state},

		ir.OpSPMDAxisIndex:     {whole: isPerDevice},
		ir.OpSPMDAllReduce:     {whole: isPerDevice},
		ir.OpSPMDAllGather:     {whole: isPerDevice},
		ir.OpSPMDReduceScatter: {whole: isPerDevice},
		ir.OpSPMDAllToAll:      {whole: isPerDevice},
		ir.OpSPMDPermute:       {whole: isPerDevice},
		ir.OpSPMDShift:         {whole: isPerDevice},
	}
	ir.EachOpInfo(func(info *ir.OpInfo) {
		if info.Is(ir.Elementwise) {
			rows[info.Kind] = row{split: pointwise}
		}
	})
}

// run partitions op as its row says.
func (p *partitioner) run(r *row, op *ir.Op) error {
	switch {
	case r.or != nil:
		return p.byFactors(op, r.split, r.or)
	case r.split != nil:
		return p.byFactors(op, r.split)
	case r.direct != nil:
		return r.direct(p, op)
	case r.whole != "":
		return p.replicate(op)
	}
	panic(fmt.Sprintf("BUG: no row for %s", op.FullName()))
}

// Families returns, for every op kind, how it is partitioned: "split",
// "direct", or the reason why it runs on whole tensors.
func Families() map[ir.OpKind]string {
	out := map[ir.OpKind]string{}
	for k := range rows {
		switch r := rows[k]; {
		case r.split != nil:
			out[ir.OpKind(k)] = "split"
		case r.direct != nil:
			out[ir.OpKind(k)] = "direct"
		default:
			out[ir.OpKind(k)] = r.whole
		}
	}
	return out
}

// reductionFactors are the kinds of factors of ops that sum.
var reductionFactors = []factor.Kind{factor.Reduction}
