package aot

// This file finds the collectives of an optimized module, each once.

import (
	"fmt"
	"slices"
	"strings"
)

// Collective is a collective operation of the optimized module. The start and the end of an
// asynchronous one are one Collective, and so are all parts of one that the compiler has split. A
// collective in the body of a loop counts once.
type Collective struct {
	Kind      string `json:"kind"`   // "all-reduce", "all-gather", …
	Bytes     int    `json:"bytes"`  // size of its results on one device
	DType     string `json:"dtype"`  // the element type of the first result, in HLO's spelling: "f32"
	Async     bool   `json:"async"`  // other work runs at the same time
	Groups    int    `json:"groups"` // number of groups; for a collective-permute: of pairs
	GroupSize int    `json:"group_size"`
	Channel   int    `json:"channel,omitempty"` // 0 if it has none
	// the layer and operation that the collective was made for
	OpName string `json:"op_name,omitempty"`
}

// collectiveKinds are the opcodes of collectives in HLO.
var collectiveKinds = []string{"all-gather", "all-reduce", "all-to-all", "collective-broadcast", "collective-permute", "ragged-all-to-all", "reduce-scatter"}

// collectives returns the collectives of m, in the order of execution. devices is the number of
// devices that run the module.
func (m *hloModule) collectives(devices int) []Collective {
	w := walk{m: m, devices: devices, visited: map[int]bool{}, seen: map[string]bool{}, found: []Collective{}}
	w.computation(m.entry, hloInstruction{})
	return w.found
}

// walk is the state of a walk through the computations of an optimized module, which finds its
// collectives.
type walk struct {
	m       *hloModule
	devices int
	visited map[int]bool    // computations that were visited
	seen    map[string]bool // channels and chains that were found
	found   []Collective
}

// computation visits the instructions of the computation id, which caller calls, once, and those of
// the computations that these call.
func (w *walk) computation(id int, caller hloInstruction) {
	if w.visited[id] {
		return
	}
	w.visited[id] = true
	for _, i := range w.m.computations[id] {
		if i.opName == "" {
			i.opName = caller.opName
		}
		w.instruction(i, caller)
		for _, called := range i.called {
			w.computation(called, i)
		}
	}
}

func (w *walk) instruction(i, caller hloInstruction) {
	kind, started := strings.CutSuffix(i.opcode, "-start")
	if !slices.Contains(collectiveKinds, kind) || w.isPart(i) {
		return
	}
	result := i.shape
	if started && kind != "all-reduce" && len(result.tuple) > 1 {
		result = result.tuple[1] // the result follows the operands
	}
	c := Collective{
		Kind: kind, Bytes: result.bytes(), DType: result.dtype(), Channel: max(0, i.channel), OpName: i.opName,
		Async:  started || caller.opcode == "async-start" || i.chain != "",
		Groups: i.groups, GroupSize: i.groupSize,
	}
	if c.GroupSize == 0 {
		c.Groups, c.GroupSize = 1, w.devices
	}
	w.found = append(w.found, c)
}

// isPart reports whether an instruction seen before has the channel or the chain of i, so that i is
// part of the same collective. It remembers i. An instruction without both is not a part.
func (w *walk) isPart(i hloInstruction) bool {
	key := ""
	switch {
	case i.channel > 0:
		key = fmt.Sprint("channel ", i.channel)
	case i.chain != "":
		key = "chain " + i.chain
	default:
		return false
	}
	was := w.seen[key]
	w.seen[key] = true
	return was
}

// elements has, by the number of XLA's PrimitiveType, the name of the element type in HLO and its
// number of bits.
var elements = map[int]struct {
	name string
	bits int
}{
	1: {"pred", 8}, 30: {"s1", 1}, 26: {"s2", 2}, 21: {"s4", 4}, 2: {"s8", 8}, 3: {"s16", 16}, 4: {"s32", 32}, 5: {"s64", 64},
	31: {"u1", 1}, 27: {"u2", 2}, 22: {"u4", 4}, 6: {"u8", 8}, 7: {"u16", 16}, 8: {"u32", 32}, 9: {"u64", 64},
	10: {"f16", 16}, 11: {"f32", 32}, 16: {"bf16", 16}, 12: {"f64", 64}, 15: {"c64", 64}, 18: {"c128", 128},
	19: {"f8e5m2", 8}, 20: {"f8e4m3fn", 8}, 23: {"f8e4m3b11fnuz", 8}, 24: {"f8e5m2fnuz", 8}, 25: {"f8e4m3fnuz", 8},
	28: {"f8e4m3", 8}, 29: {"f8e3m4", 8}, 32: {"f4e2m1fn", 4}, 33: {"f8e8m0fnu", 8},
}

// bytes returns the size of a shape's elements, without padding.
func (s hloShape) bytes() int {
	if len(s.tuple) > 0 {
		n := 0
		for _, part := range s.tuple {
			n += part.bytes()
		}
		return n
	}
	bits := elements[s.element].bits
	for _, d := range s.dims {
		bits *= d
	}
	return (bits + 7) / 8
}

// dtype returns the name of the shape's element type, in HLO's spelling; of a tuple, that of the
// first element.
func (s hloShape) dtype() string {
	if len(s.tuple) > 0 {
		return s.tuple[0].dtype()
	}
	return elements[s.element].name
}
