package layout

// This file defines Lint, which finds the layouts that are valid but waste memory.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/suggest"
)

// LintTensor describes a variable, or the output of a layer, to Lint.
type LintTensor struct {
	Path     string
	Rule     string        // the key of the LayoutMap that gave the tensor its layout, or empty
	Layout   *TensorLayout // the layout of that rule, or nil
	Dims     []int
	Bytes    int       // bytes of the full tensor; 0 for outputs of layers
	Sharding *Sharding // nil for outputs of layers
}

// LintOptions are the options of Lint. A share of 0 means its default.
type LintOptions struct {
	// BatchAxis is the mesh axis that shards the data. Lint does not complain that it shards no
	// variable.
	BatchAxis string
	// ReplicatedShare is the share of the bytes of all variables that may be replicated on every
	// device: 0.5 by default.
	ReplicatedShare float64
	// WastedShare is the share of a variable's memory that may be padding: 0.25
	// by default.
	WastedShare float64
}

// Finding is one finding of Lint.
type Finding struct {
	Path string // the variable, the largest of several
	Rule string // the key of the rule that gave the variable its layout, or empty
	Text string // names Path and Rule, says what is wrong and what would help
}

// lintNamed is the largest number of variables that one finding names.
const lintNamed = 3

// Lint reports three kinds of waste, in this order. If more than ReplicatedShare of all bytes is
// replicated although the mesh has another axis than BatchAxis, one finding names the largest
// replicated variables. There is a finding for each variable with more padding than WastedShare of
// its memory, and for each tensor whose layout has fewer dimensions than it.
func Lint(tensors []LintTensor, o LintOptions) []Finding {
	return slices.Concat(lintReplicated(tensors, o), lintUneven(tensors, o), lintShort(tensors))
}

func lintReplicated(tensors []LintTensor, o LintOptions) []Finding {
	share := cmp.Or(o.ReplicatedShare, 0.5)
	var replicated []LintTensor
	axes := []string{}
	all, bytes := 0, 0
	for _, t := range tensors {
		all += t.Bytes
		if t.Sharding == nil {
			continue
		}
		for _, a := range t.Sharding.Mesh.Axes() {
			if a.Name != o.BatchAxis && a.Size > 1 && !slices.Contains(axes, a.Name) {
				axes = append(axes, a.Name)
			}
		}
		if t.Sharding.ShardCount() == 1 {
			replicated = append(replicated, t)
			bytes += t.Bytes
		}
	}
	if len(axes) == 0 || float64(bytes) <= share*float64(all) {
		return nil
	}
	slices.SortStableFunc(replicated, func(a, b LintTensor) int { return b.Bytes - a.Bytes })
	var named []string
	for _, t := range replicated[:min(lintNamed, len(replicated))] {
		why := fmt.Sprintf("rule %q leaves it replicated", t.Rule)
		if t.Rule == "" {
			why = "no rule matches it"
		}
		named = append(named, fmt.Sprintf("%q of shape %v (%d bytes; %s)", t.Path, t.Dims, t.Bytes, why))
	}
	return []Finding{{replicated[0].Path, replicated[0].Rule, fmt.Sprintf(
		"%d of %d parameter bytes (%d %%, more than %d %%) are replicated on every device although the mesh has %s to shard them: %s: give the largest a rule with one of these axes",
		bytes, all, 100*bytes/all, int(100*share), suggest.Quote(axes), strings.Join(named, ", "))}}
}

func lintUneven(tensors []LintTensor, o LintOptions) []Finding {
	share := cmp.Or(o.WastedShare, 0.25)
	var out []Finding
	for _, t := range tensors {
		if t.Sharding == nil || len(t.Sharding.Dims) != len(t.Dims) {
			continue
		}
		size, padded, worst, loss := 1, 1, -1, 0.0
		for d, n := range t.Dims {
			shards := t.Sharding.DimShards(d)
			p := (n + shards - 1) / shards * shards
			if l := 1 - float64(n)/float64(max(1, p)); l > loss {
				worst, loss = d, l
			}
			size, padded = size*n, padded*p
		}
		if worst < 0 || float64(padded-size) <= share*float64(padded) {
			continue
		}
		by := AxesText(t.Sharding.Dims[worst].Axes)
		rule := "no rule"
		if t.Rule != "" {
			rule = fmt.Sprintf("rule %q", t.Rule)
		}
		out = append(out, Finding{t.Path, t.Rule, fmt.Sprintf(
			"%q (%s): %d %% of its memory is padding: dim %d of size %d is sharded %d ways by %s: %s",
			t.Path, rule, 100*(padded-size)/padded, worst, t.Dims[worst], t.Sharding.DimShards(worst), by, t.evenAxes(worst))})
	}
	return out
}

// lintShort returns a finding for each tensor whose layout has fewer dimensions than it, in the
// order of tensors. Tensors without a layout have none.
func lintShort(tensors []LintTensor) []Finding {
	var out []Finding
	for _, t := range tensors {
		if t.Layout == nil || len(t.Layout.axes) >= len(t.Dims) {
			continue
		}
		full := &TensorLayout{axes: append(slices.Clone(t.Layout.axes), make([]string, len(t.Dims)-len(t.Layout.axes))...)}
		out = append(out, Finding{t.Path, t.Rule, fmt.Sprintf(
			"the layout %s of the rule %q is shorter than %q, which has %d dimensions: the missing ones are replicated, as in Keras; write %s",
			t.Layout, t.Rule, t.Path, len(t.Dims), full)})
	}
	return out
}

// evenAxes returns advice for dimension d of the tensor: a text that names the mesh axes whose size
// divides it. If there are none, the text says what else to do.
func (t *LintTensor) evenAxes(d int) string {
	var fit []string
	for _, a := range t.Sharding.Mesh.Axes() {
		if a.Size > 1 && t.Dims[d]%a.Size == 0 {
			fit = append(fit, a.Name)
		}
	}
	if len(fit) > 0 {
		return "shard it by " + suggest.Quote(fit) + ", which divides it, or leave it replicated"
	}
	return "no axis divides it: leave it replicated, shard another dimension, or change its size"
}
