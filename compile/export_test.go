package compile

// This file gives the external tests access to the list of passes and to the rewrites, and runs
// single passes on per-device modules.

import (
	"context"
	"fmt"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/target"
)

// PassNames returns the names of all passes, in the order in which they run.
func PassNames() []string {
	var out []string
	for _, p := range passes {
		out = append(out, p.name)
	}
	return out
}

// PassNamesFor returns the names of the passes that run for a partitioner and a platform, such as
// "tpu", in order; "" is any platform.
func PassNamesFor(by Partitioner, platform string) []string {
	var out []string
	for _, p := range passes {
		if p.runs(Options{Partitioner: by, Platform: platform}) {
			out = append(out, p.name)
		}
	}
	return out
}

// RequiredPasses returns the names of the passes that cannot be switched off.
func RequiredPasses() []string { return passesIn(required) }

// ChosenPasses returns the names of the passes that run on the program that pass choose has taken.
func ChosenPasses() []string { return passesIn(chosen) }

func passesIn(v variant) []string {
	var out []string
	for _, p := range passes {
		if p.in&v != 0 {
			out = append(out, p.name)
		}
	}
	return out
}

// PassOrder returns the order of passes that the list must keep.
func PassOrder() []pass.Before { return passOrder }

// PassWhys returns, by the name of each pass, the reason why there is one.
func PassWhys() map[string]string {
	out := map[string]string{}
	for _, p := range passes {
		out[p.name] = p.why
	}
	return out
}

// PassLimits maps the name of each pass to the limit of compilers that it works around: target.None
// if there is none.
func PassLimits() map[string]target.Limit {
	out := map[string]target.Limit{}
	for _, p := range passes {
		out[p.name] = p.against
	}
	return out
}

// CompileBroken compiles m as Compile does, but with damage as the only pass, which changes a copy
// of m. The default options hold.
func CompileBroken(m *ir.Module, damage func(*ir.Module) error) (*program.Program, error) {
	return compileBy(context.Background(), []pipelinePass{{"damage", all, always, "", func(c *compilation) error { return damage(c.module) }}}, m, Options{}, nil)
}

// Rewrites returns the names of the rules of all rewrites, except those of gathers.
func Rewrites() []string {
	var out []string
	for _, list := range [][]ir.Pattern{foldRewrites, arithRewrites, shapeRewrites} {
		for _, p := range list {
			out = append(out, p.Name)
		}
	}
	return out
}

// RewritesIn returns the names of the rules that simplify applies to a copy of m, one for each
// time.
func RewritesIn(m *ir.Module) []string {
	var out []string
	o := rewriteOptions
	o.Applied = func(p *ir.Pattern) { out = append(out, p.Name) }
	ir.ApplyPatterns(m.Clone().Main(), rewrites, o)
	return out
}

// FoldKinds returns the kinds of ops that are computed by the compiler if their operands are
// constants.
func FoldKinds() []ir.OpKind { return foldKinds() }

// RunSPMDPass runs the named pass on a copy of a per-device module, then removes dead ops, and
// returns the copy. Parameters of main are sharded as the module states. A nil machine stands for
// the default one. A name of no such pass is an error.
func RunSPMDPass(m *ir.Module, name string, machine *cost.Machine) (*ir.Module, error) {
	o := Options{Partitioner: SPMD, Machine: machine}
	c := &compilation{ctx: context.Background(), module: m.Clone(), mesh: m.Meshes[0].Mesh, options: o, strategy: o.strategies()[0]}
	for _, p := range c.main().Params() {
		s := p.Sharding
		if s == nil {
			s = layout.Replicated(c.mesh, p.Type.Rank())
		}
		c.inputs = append(c.inputs, program.Input{TensorInfo: program.TensorInfo{Sharding: s}, Alias: -1})
	}
	for _, p := range passes {
		if p.name == name && p.in&spmd != 0 {
			err := c.run([]pipelinePass{p, {"dce", spmd, always, "", passOfMain(dce)}})
			return c.module, err
		}
	}
	return nil, fmt.Errorf("no pass %q", name)
}

// LocalShards returns, for each dynamic_slice of main in program order, whether it computes the
// device's local shard.
func LocalShards(m *ir.Module) (out []bool) {
	m.Main().Walk(func(op *ir.Op) {
		if op.Kind == ir.OpDynamicSlice {
			_, ok := localShardOf(m.Meshes[0].Mesh, op)
			out = append(out, ok)
		}
	})
	return out
}

// MaxWindow is the largest number of collectives that are compared in pairs.
const MaxWindow = maxWindow
