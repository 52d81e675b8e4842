// Package hlo reads the collectives in the text of a program that XLA has partitioned and
// optimized. It counts the bytes that a device sends by the formula of package cost, as for our
// programs.
//
// It compiles nothing: it reads the text of XLA's dumps.
//
// Order of use: Collectives, then TotalBytes.
package hlo

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
)

// Collective is a collective in XLA's program: its kind, the bytes that a device sends in each
// execution, and the number of executions in a run.
type Collective struct {
	kind    cost.Kind
	channel int // 0 means none
	tensors int
	bytes   int // bytes of each execution
	runs    int
}

// uncounted lists the HLO collectives that package cost has no formula for. A program with one of
// them is an error.
var uncounted = map[string]bool{
	"collective-broadcast": true, "collective-broadcast-start": true, "ragged-all-to-all": true, "send": true, "recv": true,
}

var (
	hloHead     = regexp.MustCompile(`^(ENTRY )?%?([\w.-]+) \(.*\) -> .*\{$`)
	hloCall     = regexp.MustCompile(`^\s*(?:ROOT )?%?([\w.-]+) = (.+?) ([a-z][a-z0-9-]*)\((.*?)\)(?:, (.*))?$`)
	hloShape    = regexp.MustCompile(`\b([a-z]\w*)\[([\d,]*)\]`)
	hloName     = regexp.MustCompile(`%([\w.-]+)`)
	hloChannel  = regexp.MustCompile(`channel_id=(\d+)`)
	hloIota     = regexp.MustCompile(`replica_groups=\[(\d+),(\d+)\]<=`)
	hloGroups   = regexp.MustCompile(`replica_groups=\{((?:\{[\d,]*\},?)*)\}`)
	hloPairs    = regexp.MustCompile(`source_target_pairs=\{((?:\{\d+,\d+\},?)*)\}`)
	hloBody     = regexp.MustCompile(`(?:body|condition|calls|to_apply)=%?([\w.-]+)`)
	hloBranches = regexp.MustCompile(`(?:branch_computations=\{([^}]*)\}|true_computation=%?([\w.-]+), false_computation=%?([\w.-]+))`)
	hloTrips    = regexp.MustCompile(`"known_trip_count":\{"n":"(\d+)"\}`)
	hloDevices  = regexp.MustCompile(`(?:num_partitions|replica_count)=(\d+)`)
)

// module is a parsed module of HLO: its computations by name. entry names the computation that
// runs.
type module struct {
	devices      int
	entry        string
	computations map[string]*computation
}

// computation holds the collectives of a computation of HLO, and the calls of other computations,
// in order. shapes has the types of each instruction's results, by its name.
type computation struct {
	shapes map[string][]ir.Type
	items  []item
}

// item is a collective, or an instruction that runs other computations: all of them in every
// iteration, or one of them if they are branches.
type item struct {
	collective *Collective
	all        []string
	iterations int
	branches   []string
}

// Collectives returns the collectives that a run of an HLO module executes, each channel once: the
// text may contain a computation several times, or calls of it. Of the branches of a conditional it
// takes the one that sends most. As in package cost, a loop with an unknown trip count counts as
// one iteration. A collective without a formula or without groups, and a call of a computation that
// is not there, are errors.
func Collectives(text string) ([]Collective, error) {
	m := module{devices: 1, computations: map[string]*computation{"": {shapes: map[string][]ir.Type{}}}}
	name := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "HloModule") {
			for _, n := range hloDevices.FindAllStringSubmatch(line, -1) {
				count, err := strconv.Atoi(n[1])
				if err != nil {
					return nil, fmt.Errorf("%w in the line %q", err, line)
				}
				m.devices *= count
			}
			continue
		}
		if head := hloHead.FindStringSubmatch(line); head != nil {
			name = head[2]
			m.computations[name] = &computation{shapes: map[string][]ir.Type{}}
			if head[1] != "" {
				m.entry = name
			}
			continue
		}
		if err := m.read(m.computations[name], line); err != nil {
			return nil, fmt.Errorf("%w in the line %q", err, line)
		}
	}
	return m.walk(m.entry, 1, map[int]bool{})
}

// read adds the op of a line to the computation c: its shapes, and what it sends, computes or
// calls. A line without an op changes nothing. Collectives that have no formula are an error.
func (m *module) read(c *computation, line string) error {
	call := hloCall.FindStringSubmatch(line)
	if call == nil {
		return nil
	}
	types, err := hloTypes(call[2])
	if err != nil {
		return err
	}
	c.shapes[call[1]] = types
	op, operands, attrs := call[3], call[4], call[5]
	if uncounted[op] {
		return fmt.Errorf("the collective %s, which has no formula here,", op)
	}
	// A start op of an asynchronous collective counts. If async-start wraps a collective, the one
	// in the wrapped computation counts.
	if kind, ok := cost.KindOfHLO(op); ok {
		var in []ir.Type
		for _, name := range hloName.FindAllStringSubmatch(operands, -1) {
			in = append(in, c.shapes[name[1]]...)
		}
		found, err := m.collective(kind, in, types, attrs)
		if err != nil {
			return err
		}
		c.items = append(c.items, item{collective: found})
		return nil
	}
	calls := item{iterations: 1}
	if b := hloBranches.FindStringSubmatch(attrs); b != nil {
		calls.branches = strings.FieldsFunc(strings.Join(b[1:], ","), func(r rune) bool { return r == ',' || r == ' ' || r == '%' })
	}
	for _, b := range hloBody.FindAllStringSubmatch(attrs, -1) {
		calls.all = append(calls.all, b[1])
	}
	if n := hloTrips.FindStringSubmatch(attrs); n != nil {
		if calls.iterations, err = strconv.Atoi(n[1]); err != nil {
			return err
		}
	}
	if len(calls.all)+len(calls.branches) > 0 {
		c.items = append(c.items, calls)
	}
	return nil
}

// collective returns the collective of an instruction whose kind, types and attributes are given.
// Its bytes are what a device sends, by the formula of package cost. It returns an error if it
// cannot read the groups or the channel.
func (m *module) collective(kind cost.Kind, in, out []ir.Type, attrs string) (*Collective, error) {
	c := &Collective{kind: kind, tensors: len(in)}
	if channel := hloChannel.FindStringSubmatch(attrs); channel != nil {
		var err error
		if c.channel, err = strconv.Atoi(channel[1]); err != nil {
			return nil, err
		}
	}
	n, err := m.groupSize(kind, attrs)
	if err != nil {
		return nil, err
	}
	if kind == cost.AllToAll && len(in) > 1 {
		// There is one operand for each member of the group. A device sends all except its own.
		for _, t := range in[1:] {
			c.bytes += t.Size() * ir.ElementBytes(t.DType)
		}
		return c, nil
	}
	for i, t := range in {
		c.bytes += cost.Bytes(kind, n, t, out[min(i, len(out)-1)])
	}
	return c, nil
}

// walk returns the collectives of the named computation and of the computations that it calls.
// times is how often it runs in a step; seen has the channels of collectives found so far. A called
// computation that the text does not have is an error.
func (m *module) walk(name string, times int, seen map[int]bool) ([]Collective, error) {
	c := m.computations[name]
	if c == nil {
		return nil, fmt.Errorf("there is no computation %q, which another one calls", name)
	}
	var out []Collective
	for _, item := range c.items {
		if x := item.collective; x != nil {
			if x.channel != 0 && seen[x.channel] {
				continue
			}
			seen[x.channel] = true
			found := *x
			found.runs = times
			out = append(out, found)
			continue
		}
		for _, called := range item.all {
			found, err := m.walk(called, times*item.iterations, seen)
			if err != nil {
				return nil, err
			}
			out = append(out, found...)
		}
		var worst []Collective
		for _, branch := range item.branches {
			found, err := m.walk(branch, times, seen)
			if err != nil {
				return nil, err
			}
			if TotalBytes(found) > TotalBytes(worst) {
				worst = found
			}
		}
		out = append(out, worst...)
	}
	return out, nil
}

// TotalBytes returns the bytes that a device sends in all executions of the collectives in list.
func TotalBytes(list []Collective) int {
	n := 0
	for _, c := range list {
		n += c.bytes * c.runs
	}
	return n
}

// groupSize returns the number of devices in the largest group of a collective with these
// attributes. If no groups are listed there is one of all devices. For a permutation it is 2, or 1
// if each device sends to itself. Groups or pairs that it cannot read are an error.
func (m *module) groupSize(kind cost.Kind, attrs string) (int, error) {
	if kind == cost.Permute {
		pairs := hloPairs.FindStringSubmatch(attrs)
		if pairs == nil {
			return 0, fmt.Errorf("no source_target_pairs")
		}
		for pair := range strings.SplitSeq(strings.Trim(pairs[1], "{}"), "},{") {
			if from, to, _ := strings.Cut(pair, ","); from != to {
				return 2, nil // any number except one: the sender sends its operand
			}
		}
		return 1, nil
	}
	if iota := hloIota.FindStringSubmatch(attrs); iota != nil {
		return strconv.Atoi(iota[2])
	}
	groups := hloGroups.FindStringSubmatch(attrs)
	if groups == nil {
		return 0, fmt.Errorf("no replica groups")
	}
	if groups[1] == "" {
		return m.devices, nil
	}
	largest := 0
	for group := range strings.SplitSeq(groups[1], "},{") {
		largest = max(largest, strings.Count(group, ",")+1)
	}
	return largest, nil
}

// hloDTypes maps names of element types in HLO to those in MLIR, where they differ.
var hloDTypes = map[string]string{
	"pred": "i1", "s2": "i2", "s4": "i4", "s8": "i8", "s16": "i16", "s32": "i32", "s64": "i64",
	"u2": "ui2", "u4": "ui4", "u8": "ui8", "u16": "ui16", "u32": "ui32", "u64": "ui64",
	"c64": "complex<f32>", "c128": "complex<f64>",
}

// hloTypes returns the array types in text, an HLO type: one, or those of a tuple. Tokens and
// element types that are not sent are left out.
func hloTypes(text string) ([]ir.Type, error) {
	var out []ir.Type
	for _, m := range hloShape.FindAllStringSubmatch(text, -1) {
		name := m[1]
		if other, ok := hloDTypes[name]; ok {
			name = other
		}
		dtype, ok := ir.DTypeFromText(name)
		if !ok {
			continue // token[], a layout, or a type that is not sent
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
