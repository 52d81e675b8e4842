package sharding

import "github.com/gospmd/gospmd/ir"

// RuleRow returns the row of an op kind in the table of rules: whether it has a rule, or why it has
// none, which is "" if it has one.
func RuleRow(k ir.OpKind) (hasRule bool, none string) {
	return ruleTable[k].rule != nil, ruleTable[k].none
}
