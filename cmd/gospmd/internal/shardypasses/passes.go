package shardypasses

// This file defines the passes by name, and parses lists of passes.

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

// definition defines a name in a list of passes: it stands for one pass or for a pipeline.
type definition struct {
	run      func(m *ir.Module, o options) error // nil for a pipeline
	pipeline func(o options) []string            // the passes of a pipeline
	options  []string                            // the names of the options that the pass accepts
}

// options maps the names of a pass's options to their values. All except strategyOption are
// booleans.
type options map[string]string

// The names of the options.
const (
	conservativeOption = "conservative-propagation"
	strategyOption     = "propagation-strategy"
	keepRulesOption    = "keep-sharding-rules"
	// sharedCallsOption keeps calls as they are: a function has the same shardings for all its
	// calls. Without it each call has its own shardings, and a function is copied if its calls
	// differ.
	sharedCallsOption = "dedup-functions-fully"
)

var propagationOptions = []string{conservativeOption, strategyOption, keepRulesOption}

// set returns the value of a boolean option. It returns false if the option is not set.
func (o options) set(name string) bool {
	b, _ := strconv.ParseBool(o[name])
	return b
}

// definitions maps the names of all passes and pipelines to their definitions. It is filled by
// init.
var definitions map[string]definition

func init() { // not in the declaration, because pipelines refer to definitions
	definitions = map[string]definition{
		"import-pipeline":      {pipeline: importPipeline, options: []string{sharedCallsOption}},
		"propagation-pipeline": {pipeline: propagationPipeline, options: []string{sharedCallsOption}},
		"export-pipeline":      {pipeline: exportPipeline},

		"add-data-flow-edges":         simplePass(sdy.AddDataFlowEdges),
		"add-func-data-flow-edges":    simplePass(addFuncDataFlowEdges),
		"aggressive-propagate":        propagation(sharding.Flat, sharding.Aggressive),
		"apply-sharding-constraints":  simplePass(applyConstraints),
		"basic-propagate":             propagation(sharding.Flat, sharding.Basic),
		"canonicalize":                simplePass(canonicalize),
		"close-shardings":             simplePass(closeShardings),
		"constant-or-scalar-merger":   simplePass(mergeConstants),
		"constant-or-scalar-splitter": simplePass(splitConstants),
		"drop-sharding-rules":         simplePass(dropRules),
		"export-named-computations":   simplePass(outlineCalls),
		"flatten-call-graph":          simplePass(flattenCalls),
		"import-func-calls":           simplePass(inlineCalls),
		"insert-explicit-reshards":    falliblePass(insertReshards),
		"insert-func-call-reshards":   simplePass(reshardCallResults),
		"lift-inlined-meshes":         simplePass(liftMeshes),
		"manual-axes-cleanup":         falliblePass(cleanManualAxes),
		"op-priority-propagate":       propagation(sharding.OpPriority, sharding.Aggressive),
		"populate-op-sharding-rules": {options: []string{conservativeOption}, run: func(m *ir.Module, o options) error {
			return populateRules(m, o.set(conservativeOption))
		}},
		"pre-order-funcs":                             simplePass(orderCallersFirst),
		"propagate-sharding-from-func-to-call":        simplePass(funcToCallShardings),
		"propagate-to-func-results":                   simplePass(propagateToResults),
		"remove-sharding-groups":                      simplePass(dropGroups),
		"remove-size-one-axes":                        simplePass(dropSizeOneAxes),
		"remove-sub-axes-in-input-output-shardings":   simplePass(dropSubAxes),
		"sharding-constraint-to-reshard":              simplePass(constraintsToReshards),
		"sharding-group-import":                       falliblePass(sdy.ImportGroups),
		"sink-data-flow-edges":                        simplePass(sdy.SinkDataFlowEdges),
		"sink-func-data-flow-edges":                   simplePass(sinkFuncDataFlowEdges),
		"symbol-dce":                                  simplePass(dropDeadFuncs),
		"unflatten-call-graph":                        simplePass(unflattenCalls),
		"update-non-divisible-input-output-shardings": simplePass(divideEvenly),
		"user-priority-propagate":                     propagation(sharding.UserPriority, sharding.Aggressive),
	}
}

// simplePass defines a pass without options that returns no error.
func simplePass(pass func(*ir.Module)) definition {
	return falliblePass(func(m *ir.Module) error {
		pass(m)
		return nil
	})
}

// falliblePass defines a pass without options that may return an error.
func falliblePass(pass func(*ir.Module) error) definition {
	return definition{run: func(m *ir.Module, _ options) error { return pass(m) }}
}

// strategies has the strategy of propagation for each value of strategyOption.
var strategies = map[string]sharding.Strategy{
	"basic":                 sharding.Basic,
	"aggressive":            sharding.Aggressive,
	"basic-then-aggressive": sharding.BasicThenAggressive,
}

// propagation defines a pass that propagates as Shardy's passes do (Options.Bare), and then removes
// dead ops. With the option keep-sharding-rules it also adds the sharding rules of ops, as the pass
// populate-op-sharding-rules does. Without it, it removes all rules except those that users state.
func propagation(level sharding.Level, strategy sharding.Strategy) definition {
	return definition{options: propagationOptions, run: func(m *ir.Module, o options) error {
		strategy := strategy
		if name, ok := o[strategyOption]; ok {
			if strategy, ok = strategies[name]; !ok {
				return fmt.Errorf("%s is %q, want one of %q", strategyOption, name, slices.Sorted(maps.Keys(strategies)))
			}
		}
		conservative := o.set(conservativeOption)
		_, err := sharding.Propagate(m, sharding.Options{Level: level, Strategy: strategy, Conservative: conservative, Bare: true})
		if err != nil {
			return err
		}
		dropDeadOps(m)
		if o.set(keepRulesOption) {
			return populateRules(m, conservative)
		}
		dropRules(m)
		return nil
	}}
}

// Names returns the names of all passes and pipelines, sorted, each with the options that it
// accepts in braces.
func Names() []string {
	names := slices.Sorted(maps.Keys(definitions))
	for i, name := range names {
		if o := definitions[name].options; len(o) > 0 {
			names[i] += "{" + strings.Join(o, " ") + "}"
		}
	}
	return names
}

// Parse reads a list of passes as MLIR writes it,
//
//	name,name{option=value option=value},…
//
// and returns its passes, with the passes of each pipeline in place of the pipeline. An unknown
// pass or option, a wrong value and a missing brace are errors.
func Parse(list string) ([]Pass, error) {
	var passes []Pass
	for rest := strings.TrimSpace(list); rest != ""; rest = strings.TrimLeft(rest, ", ") {
		end := strings.IndexAny(rest, ",{")
		if end < 0 {
			end = len(rest)
		}
		name := strings.TrimSpace(rest[:end])
		rest = rest[end:]
		def, ok := definitions[name]
		if !ok {
			return nil, fmt.Errorf("unknown pass %q: the nearest is %q", name, suggest.Nearest(name, slices.Sorted(maps.Keys(definitions)), 1)[0])
		}
		var given string
		if strings.HasPrefix(rest, "{") {
			if given, rest, ok = strings.Cut(rest[1:], "}"); !ok {
				return nil, fmt.Errorf("the options of pass %s are not closed: want %s{name=value}", name, name)
			}
		}
		o, err := def.parseOptions(name, given)
		if err != nil {
			return nil, err
		}
		passes = append(passes, def.passes(name, o)...)
	}
	return passes, nil
}

// parseOptions reads text, option=value option=value, as options of the given pass. An option
// without a value is true. An option that the pass lacks, and a wrong value, are errors.
func (d definition) parseOptions(pass, text string) (options, error) {
	o := make(options)
	for _, option := range strings.Fields(text) {
		name, value, hasValue := strings.Cut(option, "=")
		if !slices.Contains(d.options, name) {
			return nil, fmt.Errorf("pass %s has no option %q%s: it has %q", pass, name, suggest.DidYouMean(name, d.options), d.options)
		}
		if !hasValue {
			value = "true"
		}
		if _, err := strconv.ParseBool(value); err != nil && name != strategyOption {
			return nil, fmt.Errorf("option %s of pass %s is %q, want true or false", name, pass, value)
		}
		o[name] = value
	}
	return o, nil
}

// passes returns the pass with the given name, or the passes of the pipeline.
func (d definition) passes(name string, o options) []Pass {
	if d.pipeline == nil {
		return []Pass{{Name: name, Run: func(m *ir.Module) error { return d.run(m, o) }}}
	}
	var out []Pass
	for _, inner := range d.pipeline(o) {
		out = append(out, definitions[inner].passes(inner, nil)...)
	}
	return out
}
