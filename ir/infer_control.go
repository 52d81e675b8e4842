package ir

// This file holds the shape rules of control flow, calls and ordering.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gomlx/compute/dtypes"
)

// inferIdentity is the rule of ops whose results have the types of their
// operands.
func inferIdentity(op *Op) ([]Type, error) { return typesOf(op.Operands), nil }

// inferWhile: regions cond and body both take the loop's values; cond answers
// whether to go on, body returns the next values.
func inferWhile(op *Op) ([]Type, error) {
	types := typesOf(op.Operands)
	for i := range op.Regions {
		if err := checkArgs(op, i, types); err != nil {
			return nil, err
		}
	}
	if err := checkReturns(op, 0, []Type{Tensor(dtypes.Bool)}); err != nil {
		return nil, err
	}
	return types, checkReturns(op, 1, types)
}

func inferIf(op *Op) ([]Type, error) {
	if err := checkScalar(op, 0, dtypes.Bool); err != nil {
		return nil, err
	}
	return branchTypes(op)
}

func inferCase(op *Op) ([]Type, error) {
	if err := checkScalar(op, 0, dtypes.Int32); err != nil {
		return nil, err
	}
	return branchTypes(op)
}

// branchTypes returns what every region returns alike.
func branchTypes(op *Op) ([]Type, error) {
	types, err := regionTypes(op, 0)
	if err != nil {
		return nil, err
	}
	for i := range op.Regions {
		if err := checkArgs(op, i, nil); err != nil {
			return nil, err
		}
		if err := checkReturns(op, i, types); err != nil {
			return nil, err
		}
	}
	return types, nil
}

// checkSymbol verifies what can be seen of a call without the module; Verify
// compares the signatures.
func checkSymbol(attr string) func(*Op) error {
	return func(op *Op) error {
		if op.Attrs.Get(attr).(Symbol) == "" {
			return fmt.Errorf("%s is empty, want the name of a function", attr)
		}
		return nil
	}
}

func checkCustomCall(op *Op) error {
	if op.Attrs.Get("call_target_name").(String) == "" {
		return errors.New("call_target_name is empty, want the name of the target")
	}
	return nil
}

func checkUnregistered(op *Op) error {
	dialect, name, ok := strings.Cut(op.Name, ".")
	if !ok || dialect == "" || name == "" {
		return fmt.Errorf("op name is %q, want a name with its dialect, such as chlo.lgamma", op.Name)
	}
	if KindByName(op.Name) != OpUnregistered {
		return fmt.Errorf("%s is in the op table, want its kind and not OpUnregistered", op.Name)
	}
	return nil
}

func inferAfterAll(op *Op) ([]Type, error) {
	for i, v := range op.Operands {
		if !v.Type.IsToken() {
			return nil, fmt.Errorf("operand %d has type %s, want a token", i, v.Type)
		}
	}
	return []Type{Token}, nil
}

func inferToken(*Op) ([]Type, error) { return []Type{Token}, nil }
