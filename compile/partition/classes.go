package partition

// This file finds ops that cost the same if their shardings are the same. In a model with equal
// layers most ops have such an equal, and each question about them is answered once.

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// class is a number for ops that have the same strategies and costs, given the shardings of their
// operands and results. They have the same kind, attributes, types, regions and sharding rule, and
// use the same value as operand at the same places.
type class int32

// maxClassOperands is the largest number of operands of ops that are compared. An op with more
// operands, such as a concatenation of many parts, has a class of its own.
const maxClassOperands = 8

// classes holds the classes seen so far.
type classes struct {
	byKey map[string]class
	count class
	key   []byte

	outside int // how often ops in regions have used values from outside of their region, so far
}

// classOf returns the class of op, which is partitioned by rule; a new class for an op with more
// than maxClassOperands operands. free reports whether an operand can be computed in any sharding
// without communication. accessed is what op accesses in memory, or nil.
func (c *classes) classOf(op *ir.Op, rule *factor.Rule, free func(*ir.Value) bool, accessed *cost.Access) class {
	if len(op.Operands) > maxClassOperands {
		c.count++
		return c.count
	}
	c.key = c.key[:0]
	c.appendOp(op)
	for i, v := range op.Operands {
		c.appendInt(slices.Index(op.Operands[:i+1], v))
		if free(v) {
			c.appendInt(1)
			c.appendInt(cost.BitFlops(v))
		}
		c.appendType(v.Type)
	}
	for _, r := range op.Regions {
		c.appendBlock(r)
	}
	c.appendRule(rule)
	if accessed != nil {
		c.appendInts(accessed.Reads)
		c.appendInts(accessed.Writes)
	}
	id, ok := c.byKey[string(c.key)]
	if !ok {
		c.count++
		id = c.count
		c.byKey[string(c.key)] = id
	}
	return id
}

// appendOp appends to the key the description of op: kind, name, number of operands, result types
// and attributes. It does not append which values the operands are, nor regions.
func (c *classes) appendOp(op *ir.Op) {
	c.appendInt(int(op.Kind))
	c.appendString(op.Name)
	c.appendInt(len(op.Operands))
	c.appendInt(len(op.Results))
	for _, v := range op.Results {
		c.appendType(v.Type)
	}
	c.appendInt(len(op.Attrs))
	for _, a := range op.Attrs {
		c.appendString(a.Name)
		switch x := a.Value.(type) {
		case ir.Ints:
			c.appendInts(x)
		case ir.Enum:
			c.appendString(string(x))
		default:
			// Pointers in an attribute are compared by address. So equal attributes may count as
			// different, which only costs time.
			c.appendString(fmt.Sprintf("%T%v", x, x))
		}
	}
}

// appendBlock appends the description of a region. It numbers the values that are defined in it. A
// region that uses a value from outside is never equal to another one.
func (c *classes) appendBlock(b *ir.Block) {
	numbers := map[*ir.Value]int{}
	number := func(values []*ir.Value) {
		for _, v := range values {
			numbers[v] = len(numbers)
		}
	}
	number(b.Args)
	c.appendInt(len(b.Args))
	for _, v := range b.Args {
		c.appendType(v.Type)
	}
	for op := range b.Ops() {
		c.appendOp(op)
		for _, v := range op.Operands {
			if n, ok := numbers[v]; ok {
				c.appendInt(n)
			} else {
				c.outside++
				c.appendInt(-1 - c.outside)
			}
		}
		for _, r := range op.Regions {
			c.appendBlock(r)
		}
		number(op.Results)
	}
	c.appendInt(-1)
}

func (c *classes) appendType(t ir.Type) {
	c.appendInt(int(t.DType))
	c.appendInts(t.Dims)
}

func (c *classes) appendRule(r *factor.Rule) {
	c.appendInt(len(r.Factors))
	for _, f := range r.Factors {
		c.appendInt(f.Size)
		c.appendInt(int(f.Kind))
	}
	for i := range r.NumTensors() {
		for _, factors := range r.Mapping(i) {
			c.appendInts(factors)
		}
	}
}

func (c *classes) appendInts(list []int) {
	c.appendInt(len(list))
	for _, n := range list {
		c.appendInt(n)
	}
}

func (c *classes) appendString(s string) {
	c.appendInt(len(s))
	c.key = append(c.key, s...)
}

func (c *classes) appendInt(n int) { c.key = binary.AppendVarint(c.key, int64(n)) }
