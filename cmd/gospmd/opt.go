package main

// This file implements gospmd opt.

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
	"github.com/gospmd/gospmd/sharding/shardypasses"
)

// runOpt runs a list of passes on the module of a file or of standard input.
func runOpt(args []string, in io.Reader, out, diag io.Writer) error {
	fs := newFlags("opt", "Runs sharding passes on a module and prints it. The passes are Shardy's, without sdy-;\noptions stand in braces behind a pass. The passes:\n  "+strings.Join(passNames(), "\n  ")+"\n", diag,
		"-passes=propagation-pipeline step.mlir",
		"-passes='add-data-flow-edges,basic-propagate{conservative-propagation=true},sink-data-flow-edges' < step.mlir")
	list := fs.String("passes", "", "the passes to run, in order: NAME,NAME{OPTION=VALUE OPTION=VALUE},…")
	file, err := fs.parse(args)
	if err != nil {
		return err
	}
	calls, err := parsePasses(*list)
	if err != nil {
		return err
	}
	m, err := parseModule(file, in)
	if err != nil {
		return err
	}
	if err := verifyAsMLIR(m); err != nil {
		return err
	}
	for _, c := range calls {
		if err := c.run(m, c.options); err != nil {
			return fmt.Errorf("pass %s: %w", c.name, err)
		}
		if err := verifyAsMLIR(m); err != nil {
			return fmt.Errorf("what pass %s has made is not valid: %w", c.name, err)
		}
	}
	_, err = io.WriteString(out, m.String())
	return err
}

// verifyAsMLIR verifies what MLIR does. It lets an op have attributes that the
// op does not know and shardings name a mesh that is written in them.
func verifyAsMLIR(m *ir.Module) error {
	faults, _ := ir.Verify(m).(ir.Faults)
	faults = slices.DeleteFunc(faults, func(f ir.Fault) bool { return f.Rule == ir.RuleForm || f.Rule == ir.RuleListed })
	if len(faults) > 0 {
		return faults
	}
	for _, nm := range m.Meshes {
		ids := slices.Sorted(slices.Values(nm.Mesh.Devices()))
		if n := len(ids); !nm.Mesh.IsMaximal() && n > 0 && (ids[0] != 0 || ids[n-1] != n-1) {
			return fmt.Errorf("sdy.mesh @%s has the devices %v: want each of 0 to %d once, in any order", nm.Name, nm.Mesh.Devices(), n-1)
		}
	}
	return sharding.CheckRules(m)
}

// passOptions are the name=value pairs behind a pass.
type passOptions map[string]string

// bool returns a checked option; without it, false.
func (o passOptions) bool(name string) bool {
	b, _ := strconv.ParseBool(o[name])
	return b
}

// optPass is a pass that the command knows.
type optPass struct {
	run     func(m *ir.Module, o passOptions) error
	options []string // the names it accepts
}

// strategyOption is the one option that is not true or false.
const strategyOption = "propagation-strategy"

var propagationOptions = []string{"conservative-propagation", strategyOption, "keep-sharding-rules"}

// optPasses are Shardy's passes, by their names without sdy-.
var optPasses = map[string]optPass{
	"basic-propagate":            {propagate(sharding.Flat, sharding.Basic), propagationOptions},
	"aggressive-propagate":       {propagate(sharding.Flat, sharding.Aggressive), propagationOptions},
	"op-priority-propagate":      {propagate(sharding.OpPriority, sharding.Aggressive), propagationOptions},
	"user-priority-propagate":    {propagate(sharding.UserPriority, sharding.Aggressive), propagationOptions},
	"populate-op-sharding-rules": {populateRules, []string{"conservative-propagation"}},
	"propagation-pipeline":       {propagationPipeline, []string{"dedup-functions-fully"}},
	"import-pipeline":            {importPipeline, []string{"dedup-functions-fully"}},
	"export-pipeline":            {exportPipeline, nil},
}

func init() { // every pass of the pipelines can be run alone too
	for _, shared := range []bool{false, true} {
		for _, p := range shardypasses.PropagationPasses(shardypasses.PipelineOptions{SharedCalls: shared}) {
			if _, ok := optPasses[p.Name]; !ok {
				optPasses[p.Name] = optPass{run: func(m *ir.Module, _ passOptions) error { return p.Run(m) }}
			}
		}
	}
}

func propagationPipeline(m *ir.Module, o passOptions) error {
	return shardypasses.RunPasses(m, shardypasses.PropagationPasses(shardypasses.PipelineOptions{SharedCalls: o.bool("dedup-functions-fully")}))
}

func importPipeline(m *ir.Module, o passOptions) error {
	return shardypasses.RunPasses(m, shardypasses.ImportPasses(shardypasses.PipelineOptions{SharedCalls: o.bool("dedup-functions-fully")}))
}

func exportPipeline(m *ir.Module, _ passOptions) error {
	return shardypasses.RunPasses(m, shardypasses.ExportPasses())
}

// strategies are the values of the option propagation-strategy.
var strategies = map[string]sharding.Strategy{
	"basic":                 sharding.Basic,
	"aggressive":            sharding.Aggressive,
	"basic-then-aggressive": sharding.BasicThenAggressive,
}

func propagate(level sharding.Level, strategy sharding.Strategy) func(*ir.Module, passOptions) error {
	return func(m *ir.Module, o passOptions) error {
		if name, ok := o[strategyOption]; ok {
			if strategy, ok = strategies[name]; !ok {
				return fmt.Errorf("%s is %q, want one of %q", strategyOption, name, slices.Sorted(maps.Keys(strategies)))
			}
		}
		return shardypasses.Propagate(m, sharding.Options{Level: level, Strategy: strategy, Conservative: o.bool("conservative-propagation")}, o.bool("keep-sharding-rules"))
	}
}

func populateRules(m *ir.Module, o passOptions) error {
	return shardypasses.PopulateRules(m, o.bool("conservative-propagation"))
}

// passNames returns the names of the passes, each with its options.
func passNames() []string {
	names := slices.Sorted(maps.Keys(optPasses))
	for i, name := range names {
		if options := optPasses[name].options; len(options) > 0 {
			names[i] += "{" + strings.Join(options, " ") + "}"
		}
	}
	return names
}

// passCall is one pass of a list, with its options.
type passCall struct {
	optPass
	name    string
	options passOptions
}

// parsePasses reads name,name{option=value option=value},….
func parsePasses(list string) ([]passCall, error) {
	var calls []passCall
	for rest := strings.TrimSpace(list); rest != ""; rest = strings.TrimLeft(rest, ", ") {
		end := strings.IndexAny(rest, ",{")
		if end < 0 {
			end = len(rest)
		}
		c := passCall{name: strings.TrimSpace(rest[:end]), options: passOptions{}}
		rest = rest[end:]
		pass, ok := optPasses[c.name]
		if !ok {
			return nil, fmt.Errorf("opt: unknown pass %q: the nearest is %q; gospmd opt -h lists all", c.name, suggest.Nearest(c.name, slices.Sorted(maps.Keys(optPasses)), 1)[0])
		}
		c.optPass = pass
		if strings.HasPrefix(rest, "{") {
			inner, after, ok := strings.Cut(rest[1:], "}")
			if !ok {
				return nil, fmt.Errorf("opt: the options of pass %s are not closed: want %s{name=value}", c.name, c.name)
			}
			for _, option := range strings.Fields(inner) {
				name, value, hasValue := strings.Cut(option, "=")
				if !slices.Contains(pass.options, name) {
					return nil, fmt.Errorf("opt: pass %s has no option %q%s: it has %q", c.name, name, suggest.DidYouMean(name, pass.options), pass.options)
				}
				if !hasValue {
					value = "true"
				}
				if _, err := strconv.ParseBool(value); err != nil && name != strategyOption {
					return nil, fmt.Errorf("opt: option %s of pass %s is %q, want true or false", name, c.name, value)
				}
				c.options[name] = value
			}
			rest = after
		}
		calls = append(calls, c)
	}
	return calls, nil
}
