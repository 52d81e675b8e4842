// Package factor defines sharding rules and the projection of shardings onto
// the factors of a rule and back.
//
// An op is a loop nest, and its factors are the loops, as the indices of einsum
// are. A Rule maps each dimension of the op's operands and results to factors:
// ([i, k], [k, j])->([i, j]) for a matrix product. Sharding a dimension shards
// its factors, and a factor that is sharded shards every dimension that has it.
// These are the OpShardingRuleAttr and the ShardingProjection of Shardy.
//
// The package does not say which rule an op has (package sharding does), nor what follows from
// it: sharding propagates along factors, and package partition chooses the axes that shard the
// factors of an op.
//
// Order of use: a Rule from sharding.RuleOf or ParseRule; then Project,
// changes to the Projection, and Unproject; or, where one list of axes per
// factor is all that is wanted, AxesPerFactor.
//
//	file            what it holds
//	rule.go         Rule and what makes one valid
//	text.go         the text of a rule
//	projection.go   Projection: what each tensor says of each factor
//	axes.go         AxesPerFactor: one list of axes for each factor
package factor
