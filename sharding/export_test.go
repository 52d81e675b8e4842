package sharding

import "github.com/gospmd/gospmd/ir"

// RuleRow tells what the table says of an op kind.
func RuleRow(k ir.OpKind) (hasRule bool, none string) {
	return ruleTable[k].rule != nil, ruleTable[k].none
}
