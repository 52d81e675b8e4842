package main

// This file reads the collectives of a program that XLA has partitioned and
// optimized, from the text that XLA dumps.

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
)

// xlaCollective is a collective of XLA's.
type xlaCollective struct {
	kind    cost.Kind
	channel int // 0: none
	tensors int
	bytes   int
}

// xlaKinds are XLA's names. A started collective is counted where it starts.
var xlaKinds = map[string]cost.Kind{
	"all-reduce": cost.AllReduce, "all-reduce-start": cost.AllReduce,
	"all-gather": cost.AllGather, "all-gather-start": cost.AllGather,
	"reduce-scatter":     cost.ReduceScatter,
	"all-to-all":         cost.AllToAll,
	"collective-permute": cost.Permute, "collective-permute-start": cost.Permute,
}

var (
	hloCall    = regexp.MustCompile(`^\s*(?:ROOT )?%?([\w.-]+) = (.+?) ([a-z][a-z0-9-]*)\((.*?)\)(?:, (.*))?$`)
	hloShape   = regexp.MustCompile(`\b([a-z]\w*)\[([\d,]*)\]`)
	hloName    = regexp.MustCompile(`%([\w.-]+)`)
	hloChannel = regexp.MustCompile(`channel_id=(\d+)`)
	hloIota    = regexp.MustCompile(`replica_groups=\[(\d+),(\d+)\]<=`)
	hloGroups  = regexp.MustCompile(`replica_groups=\{\{([\d,]+)\}`)
)

// readHLO returns the collectives in the text of an HLO module, each channel
// once: a fused or called computation may be printed several times.
func readHLO(text string) ([]xlaCollective, error) {
	shapes := map[string][]ir.Type{}
	seen := map[int]bool{}
	var out []xlaCollective
	for line := range strings.Lines(text) {
		call := hloCall.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if call == nil {
			continue
		}
		types, err := hloTypes(call[2])
		if err != nil {
			return nil, fmt.Errorf("%w in the line %q", err, line)
		}
		shapes[call[1]] = types
		kind, ok := xlaKinds[call[3]]
		if !ok {
			continue
		}
		var operands []ir.Type
		for _, name := range hloName.FindAllStringSubmatch(call[4], -1) {
			operands = append(operands, shapes[name[1]]...)
		}
		c := xlaCollective{kind: kind, tensors: len(operands)}
		if channel := hloChannel.FindStringSubmatch(call[5]); channel != nil {
			c.channel, _ = strconv.Atoi(channel[1])
			if seen[c.channel] {
				continue
			}
			seen[c.channel] = true
		}
		n, err := groupSize(kind, call[5])
		if err != nil {
			return nil, fmt.Errorf("%w in the line %q", err, line)
		}
		if kind == cost.AllToAll && len(operands) > 1 {
			// One operand for each member of the group: all but one travel.
			for _, t := range operands[1:] {
				c.bytes += t.Size() * ir.ElementBytes(t.DType)
			}
		} else {
			for i, t := range operands {
				c.bytes += cost.Bytes(kind, n, t, types[min(i, len(types)-1)])
			}
		}
		out = append(out, c)
	}
	return out, nil
}

// groupSize returns the number of devices in a group of a collective's.
func groupSize(kind cost.Kind, attrs string) (int, error) {
	if kind == cost.Permute {
		return 2, nil // any number but one: whoever sends, sends its operand
	}
	if m := hloIota.FindStringSubmatch(attrs); m != nil {
		return strconv.Atoi(m[2])
	}
	if m := hloGroups.FindStringSubmatch(attrs); m != nil {
		return strings.Count(m[1], ",") + 1, nil
	}
	return 0, fmt.Errorf("no replica groups")
}

// hloDTypes are the element types that XLA spells in another way than MLIR.
var hloDTypes = map[string]string{
	"pred": "i1", "s2": "i2", "s4": "i4", "s8": "i8", "s16": "i16", "s32": "i32", "s64": "i64",
	"u2": "ui2", "u4": "ui4", "u8": "ui8", "u16": "ui16", "u32": "ui32", "u64": "ui64",
	"c64": "complex<f32>", "c128": "complex<f64>",
}

// hloTypes returns the shapes in a type: one, or those of a tuple.
func hloTypes(text string) ([]ir.Type, error) {
	var out []ir.Type
	for _, m := range hloShape.FindAllStringSubmatch(text, -1) {
		name := m[1]
		if other, ok := hloDTypes[name]; ok {
			name = other
		}
		dtype, ok := ir.DTypeFromText(name)
		if !ok {
			continue // token[], a layout, a type without data on the wire
		}
		t := ir.Tensor(dtype)
		for _, d := range strings.FieldsFunc(m[2], func(r rune) bool { return r == ',' }) {
			size, err := strconv.Atoi(d)
			if err != nil {
				return nil, err
			}
			t.Dims = append(t.Dims, size)
		}
		out = append(out, t)
	}
	return out, nil
}
