// Package factor defines sharding rules and the projection of shardings onto the factors of a rule
// and back.
//
// An op can be seen as a loop nest. Its factors are the loops, like the indices of an einsum. A
// Rule maps each dimension of the op's operands and results to factors: ([i, k], [k, j])->([i, j])
// for a matrix product. If a dimension is sharded, its factors are, and if a factor is sharded, so
// is every dimension that has it. Rule is Shardy's OpShardingRuleAttr, and Projection its
// ShardingProjection.
//
// The package does not know which rule an op has: package sharding does, and propagates along
// factors. Package partition chooses the axes that shard the factors of an op.
//
// Order of use: get a Rule from sharding.RuleOf or ParseRule. Then call Project, change the
// Projection, and call Projection.Unproject. If one list of axes for each factor is enough, use
// AxesPerFactor.
//
//	file            what it holds
//	rule.go         Rule and what makes one valid
//	text.go         the text of a rule
//	projection.go   Projection: the axes of each factor in each tensor
//	axes.go         AxesPerFactor: one list of axes for each factor
package factor
