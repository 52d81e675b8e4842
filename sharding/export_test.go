package sharding

import "github.com/gospmd/gospmd/ir"

// RuleRow returns the entry of an op kind in the table: whether it has a rule, or why it has none.
func RuleRow(k ir.OpKind) (hasRule bool, none string) {
	return ruleTable[k].rule != nil, ruleTable[k].none
}
