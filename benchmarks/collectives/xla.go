package main

// This file lets XLA partition a program and reads the collectives of the
// result, from the text that XLA dumps.
//
// XLA dumps the modules that it compiles where XLA_FLAGS says so; the variable
// is read when the first client is made, by this process alone.

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
)

// xla is a client that dumps the programs it compiles.
type xla struct {
	client *runtime.Client
	dumps  string
	count  int
}

// openXLA starts a client of the given number of devices. It must be the first
// of the process.
func openXLA(ctx context.Context, devices int) (*xla, error) {
	dir, err := os.MkdirTemp("", "gospmd-xla-")
	if err != nil {
		return nil, err
	}
	flags := os.Getenv("XLA_FLAGS") + " --xla_dump_to=" + dir + " --xla_dump_hlo_as_text --xla_dump_hlo_module_re=^compared"
	if err := os.Setenv("XLA_FLAGS", flags); err != nil {
		return nil, err
	}
	c, err := runtime.Open(ctx, runtime.Options{Platform: "cpu", Devices: devices})
	if err != nil {
		return nil, err
	}
	return &xla{client: c, dumps: dir}, nil
}

func (x *xla) close() {
	x.client.Close()
	os.RemoveAll(x.dumps)
}

// collectives returns the collectives that XLA's own partitioner puts into m.
func (x *xla) collectives(ctx context.Context, m *ir.Module) ([]xlaCollective, error) {
	m = m.Clone()
	m.Name = fmt.Sprintf("compared%d", x.count) // by which its dump is found
	x.count++
	p, err := compile.Compile(m, compile.Options{Partitioner: compile.XLA})
	if err != nil {
		return nil, err
	}
	exe, err := x.client.Load(ctx, p)
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	dumps := os.DirFS(x.dumps)
	files, err := fs.Glob(dumps, "*."+m.Name+".*after_optimizations.txt")
	if err != nil {
		return nil, err
	}
	if len(files) != 1 {
		return nil, fmt.Errorf("XLA dumped %d modules named %s, want 1: does something else set XLA_FLAGS?", len(files), m.Name)
	}
	text, err := fs.ReadFile(dumps, files[0])
	if err != nil {
		return nil, err
	}
	if !strings.Contains(string(text), "HloModule") {
		return nil, fmt.Errorf("%s holds no HLO module", files[0])
	}
	return readHLO(string(text))
}

// xlaCollective is a collective of XLA's.
type xlaCollective struct {
	kind    cost.Kind
	channel int // 0: none
	tensors int
	bytes   int // each time it runs
	runs    int
}

// xlaKinds are XLA's names. A started collective is counted where it starts,
// one wrapped in async-start where the wrapped computation holds it.
var xlaKinds = map[string]cost.Kind{
	"all-reduce": cost.AllReduce, "all-reduce-start": cost.AllReduce,
	"all-gather": cost.AllGather, "all-gather-start": cost.AllGather,
	"reduce-scatter":     cost.ReduceScatter,
	"all-to-all":         cost.AllToAll,
	"collective-permute": cost.Permute, "collective-permute-start": cost.Permute,
}

// uncounted are collectives for which package cost has no formula.
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

// hloModule is a parsed module.
type hloModule struct {
	devices      int
	entry        string
	computations map[string]*hloComputation
}

// hloComputation is what a computation sends, in order.
type hloComputation struct {
	shapes map[string][]ir.Type
	items  []hloItem
}

// hloItem is a collective, or an instruction that runs other computations: each
// of all in every iteration, and one of branches.
type hloItem struct {
	collective *xlaCollective
	all        []string
	iterations int
	branches   []string
}

// readHLO returns the collectives that a run of an HLO module executes, each
// channel once: a computation may be printed, or called, several times.
// Of the branches of a conditional the one that sends most counts; a loop whose
// trip count XLA does not know counts as one iteration, as in package cost.
func readHLO(text string) ([]xlaCollective, error) {
	m := hloModule{devices: 1, computations: map[string]*hloComputation{"": {shapes: map[string][]ir.Type{}}}}
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
			m.computations[name] = &hloComputation{shapes: map[string][]ir.Type{}}
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

// read reads a line of a computation.
func (m *hloModule) read(c *hloComputation, line string) error {
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
	if kind, ok := xlaKinds[op]; ok {
		var in []ir.Type
		for _, name := range hloName.FindAllStringSubmatch(operands, -1) {
			in = append(in, c.shapes[name[1]]...)
		}
		found, err := m.collective(kind, in, types, attrs)
		if err != nil {
			return err
		}
		c.items = append(c.items, hloItem{collective: found})
		return nil
	}
	item := hloItem{iterations: 1}
	if b := hloBranches.FindStringSubmatch(attrs); b != nil {
		item.branches = strings.FieldsFunc(strings.Join(b[1:], ","), func(r rune) bool { return r == ',' || r == ' ' || r == '%' })
	}
	for _, b := range hloBody.FindAllStringSubmatch(attrs, -1) {
		item.all = append(item.all, b[1])
	}
	if n := hloTrips.FindStringSubmatch(attrs); n != nil {
		if item.iterations, err = strconv.Atoi(n[1]); err != nil {
			return err
		}
	}
	if len(item.all)+len(item.branches) > 0 {
		c.items = append(c.items, item)
	}
	return nil
}

// collective returns what a collective sends, by the formula of package cost.
func (m *hloModule) collective(kind cost.Kind, in, out []ir.Type, attrs string) (*xlaCollective, error) {
	c := &xlaCollective{kind: kind, tensors: len(in)}
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
		// One operand for each member of the group: all but one travel.
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

// walk returns the collectives of a computation that runs times times.
func (m *hloModule) walk(name string, times int, seen map[int]bool) ([]xlaCollective, error) {
	c := m.computations[name]
	if c == nil {
		return nil, fmt.Errorf("there is no computation %q, which another one calls", name)
	}
	var out []xlaCollective
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
		var worst []xlaCollective
		for _, branch := range item.branches {
			found, err := m.walk(branch, times, seen)
			if err != nil {
				return nil, err
			}
			if totalBytes(found) > totalBytes(worst) {
				worst = found
			}
		}
		out = append(out, worst...)
	}
	return out, nil
}

// totalBytes returns what all runs send.
func totalBytes(list []xlaCollective) int {
	n := 0
	for _, c := range list {
		n += c.bytes * c.runs
	}
	return n
}

// groupSize returns the number of devices in the largest group of a collective.
// If no groups are listed there is one of all devices.
func (m *hloModule) groupSize(kind cost.Kind, attrs string) (int, error) {
	if kind == cost.Permute {
		pairs := hloPairs.FindStringSubmatch(attrs)
		if pairs == nil {
			return 0, fmt.Errorf("no source_target_pairs")
		}
		for pair := range strings.SplitSeq(strings.Trim(pairs[1], "{}"), "},{") {
			if from, to, _ := strings.Cut(pair, ","); from != to {
				return 2, nil // any number but one: whoever sends, sends its operand
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
