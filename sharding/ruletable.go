package sharding

// This file holds the registry of sharding rules. For every op kind it has the function that makes
// the rule, or the reason why there is no rule.
//
// The rules are those of Shardy's op_sharding_rule_registry, so that shardings are the same as
// Shardy's. Comments mark the entries that Shardy does not have.

import (
	"errors"
	"fmt"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// ruleFunc makes the rule of one op. It returns nil if the op has none. Conservative rules omit or
// block factors whose sharding would need padding or halo exchanges.
type ruleFunc func(op *ir.Op, conservative bool) *factor.Rule

// ruleEntry is an entry of the registry. Exactly one of its fields is set.
type ruleEntry struct {
	rule ruleFunc
	none string
}

const (
	noOperands  = "it has no operands: its result takes whatever sharding its uses want"
	isDataFlow  = "its values flow between blocks: data-flow edges carry their shardings"
	isToken     = "it handles tokens, which have no dimensions"
	isReturn    = "it ends a block: data-flow edges and function results carry its operands' shardings"
	isExplicit  = "it states the shardings on both sides itself; nothing is to be inferred"
	isPerDevice = "it is of the per-device program, which is made from final shardings"
	isReshard   = "it moves data from one sharding to another: nothing is propagated"
)

// ruleTable is indexed by ir.OpKind. init adds the element-wise ops, and those of the per-device
// program, which have no rule. Of the element-wise ops Shardy does not have map and the ops of the
// CHLO dialect.
var ruleTable = [ir.NumOps]ruleEntry{
	ir.OpUnregistered: {none: "nothing is known of the op"},

	ir.OpConstant:           {none: noOperands},
	ir.OpIota:               {none: noOperands},
	ir.OpBroadcastInDim:     {rule: broadcastRule},
	ir.OpReshape:            {rule: reshapeRule},
	ir.OpTranspose:          {rule: transposeRule},
	ir.OpBitcastConvert:     {rule: bitcastRule},
	ir.OpSlice:              {rule: sliceRule},
	ir.OpPad:                {rule: padRule},
	ir.OpConcatenate:        {rule: concatenateRule},
	ir.OpReverse:            {rule: reverseRule},
	ir.OpDynamicSlice:       {rule: dynamicSliceRule},
	ir.OpDynamicUpdateSlice: {rule: dynamicUpdateSliceRule},
	ir.OpGather:             {rule: gatherRule},
	ir.OpScatter:            {rule: scatterRule},

	ir.OpDotGeneral:       {rule: dotGeneralRule},
	ir.OpDot:              {rule: dotRule},
	ir.OpConvolution:      {rule: convolutionRule},
	ir.OpReduce:           {rule: reduceRule},
	ir.OpReduceWindow:     {rule: reduceWindowRule},
	ir.OpSelectAndScatter: {rule: selectAndScatterRule},
	ir.OpSort:             {rule: sortRule},
	ir.OpTopK:             {rule: topKRule}, // Shardy has only its custom call mhlo.topk

	ir.OpRngBitGenerator:    {rule: rngBitGeneratorRule},
	ir.OpRng:                {none: "its operands are scalars and a shape: its result takes whatever sharding its uses want"},
	ir.OpCholesky:           {rule: choleskyRule},
	ir.OpTriangularSolve:    {rule: triangularSolveRule},
	ir.OpFFT:                {rule: fftRule},
	ir.OpBatchNormInference: {rule: batchNormInferenceRule},
	ir.OpBatchNormTraining:  {rule: batchNormTrainingRule}, // not in Shardy
	ir.OpBatchNormGrad:      {rule: batchNormTrainingRule}, // not in Shardy

	ir.OpWhile:               {none: isDataFlow},
	ir.OpIf:                  {none: isDataFlow},
	ir.OpCase:                {none: isDataFlow},
	ir.OpReturn:              {none: isReturn},
	ir.OpCall:                {none: isDataFlow},
	ir.OpFuncReturn:          {none: isReturn},
	ir.OpCustomCall:          {rule: customCallRule},
	ir.OpComposite:           {none: "what it does is in the function it names: inline that to see through it"},
	ir.OpOptimizationBarrier: {none: isDataFlow},
	ir.OpAfterAll:            {none: isToken},
	ir.OpCreateToken:         {none: isToken},

	ir.OpAllGather:           {rule: allGatherRule},
	ir.OpAllReduce:           {rule: pointwiseRule},
	ir.OpAllToAll:            {rule: allToAllRule},
	ir.OpCollectiveBroadcast: {rule: pointwiseRule},
	ir.OpCollectivePermute:   {rule: pointwiseRule},
	ir.OpReduceScatter:       {rule: reduceScatterRule},
	ir.OpCrossReplicaSum:     {rule: pointwiseRule},
	ir.OpPartitionID:         {none: noOperands},
	ir.OpReplicaID:           {none: noOperands},

	ir.OpShardingConstraint:       {rule: pointwiseRule},
	ir.OpReshard:                  {none: isReshard},
	ir.OpPropagationBarrier:       {rule: barrierRule},
	ir.OpShardingGroup:            {none: "it has no result: members of a group share one layout"},
	ir.OpDataFlowEdge:             {none: isDataFlow},
	ir.OpFuncDataFlowEdge:         {none: isDataFlow},
	ir.OpManualComputation:        {none: isDataFlow},
	ir.OpNamedComputation:         {none: isDataFlow},
	ir.OpSdyReturn:                {none: isReturn},
	ir.OpSdyConstant:              {none: noOperands},
	ir.OpSdyAllGather:             {none: isExplicit},
	ir.OpSdyAllSlice:              {none: isExplicit},
	ir.OpSdyAllReduce:             {none: isExplicit},
	ir.OpSdyAllToAll:              {none: isExplicit},
	ir.OpSdyCollectivePermute:     {none: isExplicit},
	ir.OpSdyReduceScatter:         {none: isExplicit},
	ir.OpSdyReplicatedToUnreduced: {none: isExplicit},
	ir.OpSdyShardedToUnreduced:    {none: isExplicit},
}

func init() {
	ir.EachOpInfo(func(info *ir.OpInfo) {
		if info.Is(ir.OnMesh) {
			ruleTable[info.Kind] = ruleEntry{none: isPerDevice}
		}
		if info.Is(ir.Elementwise) {
			ruleTable[info.Kind] = ruleEntry{rule: pointwiseRule}
		}
	})
}

// RuleAttr is the attribute that states the rule of an op in a program.
const RuleAttr = sdy.RuleAttr

// RuleOf returns the sharding rule of op, or nil and the reason why op has none. A rule that the
// program states by sdy.sharding_rule replaces that of the table, except on calls of LAPACK. A
// conservative rule omits or blocks factors whose sharding would need padding or halo exchanges.
// RuleOf returns an error if a stated rule cannot be read, is not valid, or does not fit the op.
func RuleOf(op *ir.Op, conservative bool) (rule *factor.Rule, none string, err error) {
	if a := op.Attrs.Get(RuleAttr); a != nil && !isLapack(op) {
		rule, err := statedRule(op, a)
		return rule, "", err
	}
	rule, none = KindRule(op, conservative)
	return rule, none, nil
}

// KindRule is RuleOf without the rules that a program states: it returns the rule that the table
// has for op, or nil and the reason why there is none. An op with tokens has none. A conservative
// rule is as for RuleOf.
func KindRule(op *ir.Op, conservative bool) (rule *factor.Rule, none string) {
	entry := ruleTable[op.Kind]
	if entry.rule == nil {
		return nil, entry.none
	}
	for _, vs := range [][]*ir.Value{op.Operands, op.Results} {
		for _, v := range vs {
			if v.Type.IsToken() {
				return nil, isToken
			}
		}
	}
	if rule = entry.rule(op, conservative); rule == nil {
		return nil, "its operands or attributes leave nothing to relate"
	}
	return rule, ""
}

// CheckRules returns the errors, joined, of all sharding rules stated in m that cannot be read, are
// not valid, or do not fit their ops; nil if there is none.
func CheckRules(m *ir.Module) error {
	var errs []error
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if a := op.Attrs.Get(RuleAttr); a != nil {
				if _, err := statedRule(op, a); err != nil {
					errs = append(errs, err)
				}
			}
		})
	}
	return errors.Join(errs...)
}

// statedRule parses the sharding rule a, the attribute sdy.sharding_rule of op. A rule that cannot
// be parsed, is invalid, or does not suit the op's operands and results is an error.
func statedRule(op *ir.Op, a ir.Attr) (*factor.Rule, error) {
	raw, ok := a.(ir.Raw)
	if !ok {
		return nil, fmt.Errorf("sharding: %s: %s is a %T, want #sdy.op_sharding_rule<…>", op.FullName(), RuleAttr, a)
	}
	rule, err := factor.ParseRule(string(raw))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op.FullName(), err)
	}
	if err := rule.Validate(); err != nil {
		return nil, fmt.Errorf("sharding: %s: the stated rule %s: %w", op.FullName(), rule, err)
	}
	fits := func(what string, ms []factor.TensorMapping, vs []*ir.Value) error {
		if len(ms) != len(vs) {
			return fmt.Errorf("sharding: %s: the stated rule %s has %d %ss, the op has %d", op.FullName(), rule, len(ms), what, len(vs))
		}
		for i, v := range vs {
			if len(ms[i]) != v.Type.Rank() {
				return fmt.Errorf("sharding: %s: the stated rule %s gives %s %d %d dimensions, its type %s has %d",
					op.FullName(), rule, what, i, len(ms[i]), v.Type, v.Type.Rank())
			}
		}
		return nil
	}
	if err := fits("operand", rule.Operands, op.Operands); err != nil {
		return nil, err
	}
	return rule, fits("result", rule.Results, op.Results)
}
