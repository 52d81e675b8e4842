package shardypasses_test

// This file compares propagation with that of Shardy itself on random programs.

import (
	"bytes"
	"encoding/json"
	"flag"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/cmd/gospmd/internal/shardypasses"
	"github.com/gospmd/gospmd/internal/testing/peer"
	"github.com/gospmd/gospmd/internal/testing/randprog"
	"github.com/gospmd/gospmd/ir"
)

var (
	oracleSeed  = flag.Uint64("oracle.seed", 1, "first seed of TestOracle")
	oracleCount = flag.Int("oracle.n", 30, "number of programs of TestOracle")
	oracleEntry = flag.Int("oracle.entry", -1, "the one entry of oraclePasses that TestOracle tries, -1 for all")
	oracleOps   = flag.Int("oracle.ops", 6, "largest number of ops of a program of TestOracle")
)

// shardyKinds are the kinds of ops that Shardy also has rules for. Shardy has none for if, which
// JAX does not make, for map, for batch norm in training, and for CHLO, which XLA lowers before
// Shardy runs: its shardings do not pass through these, and ours do.
func shardyKinds() []ir.OpKind {
	return slices.DeleteFunc(randprog.Kinds(), func(k ir.OpKind) bool {
		return k == ir.OpIf || k == ir.OpMap || k == ir.OpBatchNormTraining || k == ir.OpBatchNormGrad || strings.HasPrefix(k.Info().Name, "chlo.")
	})
}

// The random programs that passes are tried on. No ordinary op states a rule: with such rules, seed
// 12 of 6 ops of every kind differs in the whole propagation pipeline, which is open. Shardy then
// inserts no reshards around a concatenate whose operands have nothing in common.
var (
	plain      = randprog.Options{Kinds: randprog.Plain(), OwnRules: true, Propagation: &randprog.Propagation{}}
	priorities = randprog.Options{Kinds: randprog.Plain(), OwnRules: true, Propagation: &randprog.Propagation{Priorities: true}}
	wide       = propagated(randprog.Propagation{})
	// calls has calls instead of named computations: Shardy puts two edges
	// behind those in pipelines.
	calls       = propagated(randprog.Propagation{Calls: true})
	callsByUser = propagated(randprog.Propagation{Priorities: true, Calls: true})
	// everyKind has all kinds of ops, of the programs that run.
	everyKind = randprog.Options{Kinds: shardyKinds(), OwnRules: true}
	// strange has all of it, on several meshes, with unreduced sums.
	strange = propagated(randprog.Propagation{Priorities: true, Meshes: true, Unreduced: true})
	// final has no priorities, as after propagation.
	final        = propagated(randprog.Propagation{Calls: true, Meshes: true})
	strangeCalls = propagated(randprog.Propagation{Priorities: true, Calls: true, Meshes: true})
)

func propagated(p randprog.Propagation) randprog.Options {
	return randprog.Options{OwnRules: true, Propagation: &p}
}

const edges = "sdy-manual-axes-cleanup sdy-add-data-flow-edges "

// oraclePasses are Shardy's passes. Ours have the same names without sdy-.
var oraclePasses = []struct {
	pass     string
	programs randprog.Options
}{
	{"sdy-basic-propagate", plain},
	{"sdy-basic-propagate{conservative-propagation=true}", plain},
	{"sdy-aggressive-propagate", plain},
	{edges + "sdy-aggressive-propagate", wide},
	{edges + "sdy-basic-propagate", wide},
	{"sdy-op-priority-propagate", plain},
	{"sdy-user-priority-propagate", priorities},
	{"sdy-import-pipeline", callsByUser},
	{"sdy-propagation-pipeline", callsByUser},
	{"sdy-propagation-pipeline{dedup-functions-fully=true}", calls},
	{edges + "sdy-apply-sharding-constraints sdy-sharding-group-import", wide},
	{"sdy-populate-op-sharding-rules", everyKind},
	{"sdy-populate-op-sharding-rules{conservative-propagation=true}", everyKind},
	{"sdy-propagation-pipeline", everyKind},
	{"sdy-export-pipeline", everyKind},
	{edges + "sdy-op-priority-propagate{propagation-strategy=basic-then-aggressive}", everyKind},
	{edges + "sdy-user-priority-propagate{conservative-propagation=true}", everyKind},
	{edges + "sdy-user-priority-propagate", strange},
	{edges + "sdy-user-priority-propagate{conservative-propagation=true}", strange},
	{edges + "sdy-user-priority-propagate{propagation-strategy=basic}", strange},
	{"sdy-propagation-pipeline", strangeCalls},
	{"sdy-propagation-pipeline{dedup-functions-fully=true}", strangeCalls},
	{"sdy-export-pipeline", final},
}

// runPasses runs passes, separated by blanks, with the names that Shardy gives them. It does not
// verify the results.
func runPasses(t *testing.T, m *ir.Module, list string) error {
	passes, err := shardypasses.Parse(strings.ReplaceAll(strings.Join(strings.Fields(list), ","), "sdy-", ""))
	require.NoError(t, err)
	for _, p := range passes {
		if err := p.Run(m); err != nil {
			return err
		}
	}
	return nil
}

// decided reports whether the result of a pass differs from Shardy's on purpose. MLIR hoists
// constants out of the bodies of reductions; here these bodies see no values from outside.
func decided(m *ir.Module, pass string) (has bool) {
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			parent := op.Block().Parent()
			has = has || op.Kind == ir.OpConstant && parent != nil && parent.Info().Is(ir.ScalarBody)
		})
	}
	return has && pass == "sdy-export-pipeline"
}

// oracleCase is one line of the input to testdata/oracle.py.
type oracleCase struct {
	Pass  string `json:"pass"`
	Input string `json:"input"`
	Ours  string `json:"ours"`
}

// TestOracle compares our propagation of random programs with Shardy's. Of the differences that it
// found three remain, and all three are faults of Shardy. With Options.Bare we repeat two of them:
// Shardy does not visit the edge of an argument of a manual or named computation again when the
// operand changes, and at the results of calls it takes unreduced for replicated. We do not repeat
// the third: it takes the sub-axis "a":(1)2 for a prefix of "a":(1)3, which is wrong, and so gives
// a value a wrong sharding. Seed 101707 with 6 ops shows it in two entries.
//
// The long runs had all 23 entries. The first four had the programs of an earlier generator, among
// them seed 101707.
//
//	seeds              ops        comparisons   differed                        Shardy aborted
//	100000 to 101999   up to 6    46 000        5 in all: two of 101707, and    157 in all
//	200000 to 200299   up to 12    6 900        three that are fixed since
//	300000 to 300049   up to 25    1 150
//	400000 to 400299   up to 8     6 900        0                               22
//	500000 to 500299   up to 6     6 900        7 of two programs that sort a      8
//	                                            tensor without elements, fixed
//	700000 to 700099   up to 20    2 300        2 of one reducer of swapped         12
//	                                            arguments, fixed
//	800000 to 800299   up to 10    6 900        800116: Shardy refuses its own      36
//	                                            result, a manual computation in a
//	                                            sharding group
//
// Package peer finds Shardy's driver and Python.
func TestOracle(t *testing.T) {
	python, driver := peer.Python(t, "jaxlib"), peer.Shardy(t, "sdy_oracle.py")
	entries := oraclePasses
	if *oracleEntry >= 0 {
		entries = entries[*oracleEntry : *oracleEntry+1]
	}
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	differs := map[int]bool{} // on purpose, by the number of the comparison
	for i := range *oracleCount {
		seed := *oracleSeed + uint64(i)
		for j, p := range entries {
			o := p.programs
			o.Ops = 1 + i%*oracleOps
			m := randprog.New(seed, o).Module
			differs[i*len(entries)+j] = decided(m, p.pass)
			c := oracleCase{Pass: p.pass, Input: m.String()}
			require.NoError(t, runPasses(t, m, p.pass), "seed %d, %s:\n%s", seed, p.pass, c.Input)
			c.Ours = m.String()
			require.NoError(t, enc.Encode(c))
		}
	}
	cmd := exec.Command(python, filepath.Join("testdata", "oracle.py"), driver)
	cmd.Stdin = &in
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Len(t, lines, *oracleCount*len(entries))
	bad, aborted, onPurpose := make([]int, len(entries)), 0, 0
	for i, line := range lines {
		if line == "ok" {
			continue
		}
		if line == "aborts" { // Shardy's process aborted: there is no result to compare with
			aborted++
			continue
		}
		if differs[i] {
			onPurpose++
			continue
		}
		entry := i % len(entries)
		if bad[entry]++; bad[entry] <= 3 {
			var text string
			require.NoError(t, json.Unmarshal([]byte(line), &text))
			t.Errorf("seed %d, %d ops, %s:\n%s", *oracleSeed+uint64(i/len(entries)), 1+i/len(entries)%*oracleOps, entries[entry].pass, text)
		}
	}
	for i, p := range entries {
		t.Logf("%s: %d of %d differ", p.pass, bad[i], *oracleCount)
	}
	t.Logf("Shardy aborted on %d programs, %d differ on purpose", aborted, onPurpose)
}
