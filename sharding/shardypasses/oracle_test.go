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

	"github.com/gospmd/gospmd/internal/difftest"
	"github.com/gospmd/gospmd/internal/peer"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/internal/randprog"
	"github.com/gospmd/gospmd/sharding/shardypasses"
)

var (
	oracleSeed  = flag.Uint64("oracle.seed", 1, "first seed of TestOracle")
	oracleCount = flag.Int("oracle.n", 30, "number of programs of TestOracle")
	oracleEntry = flag.Int("oracle.entry", -1, "the one entry of oraclePasses that TestOracle tries, -1 for all")
	oracleOps   = flag.Int("oracle.ops", 6, "largest number of ops of a program of TestOracle")
)

// source says which random programs a pass is tested with.
type source struct {
	randprog.Options
	everyKind bool // programs of package difftest instead, with all kinds of ops
}

func (s source) program(seed uint64, ops int) *ir.Module {
	if s.everyKind {
		// If ordinary ops state rules, seed 12 with 6 ops differs in the whole propagation
		// pipeline: Shardy then inserts no reshards around a concatenate whose operands have no
		// common axes. The cause is not known.
		return difftest.New(seed, difftest.Options{Ops: ops, Kinds: shardyKinds(), OwnRules: true}).Module
	}
	return randprog.New(seed, ops, s.Options)
}

// shardyKinds are the kinds of ops that Shardy also has rules for. Shardy has none for if, which
// JAX does not make, for map, for batch norm in training, and for CHLO, which XLA lowers before
// Shardy runs: its shardings do not pass through these, and ours do.
func shardyKinds() []ir.OpKind {
	return slices.DeleteFunc(difftest.Kinds(), func(k ir.OpKind) bool {
		return k == ir.OpIf || k == ir.OpMap || k == ir.OpBatchNormTraining || k == ir.OpBatchNormGrad || strings.HasPrefix(k.Info().Name, "chlo.")
	})
}

var (
	plain      = source{}
	priorities = source{Options: randprog.Options{Priorities: true}}
	wide       = source{Options: randprog.Options{Wide: true}}
	// calls has calls instead of named computations: in pipelines Shardy adds two edges after named
	// computations.
	calls       = source{Options: randprog.Options{Wide: true, Calls: true}}
	callsByUser = source{Options: randprog.Options{Priorities: true, Wide: true, Calls: true}}
	everyKind   = source{everyKind: true}
	// strange combines priorities, the ops of wide, several meshes and unreduced sums. It has no
	// calls: strangeCalls has them.
	strange = source{Options: randprog.Options{Priorities: true, Wide: true, Meshes: true, Unreduced: true}}
	// final has no priorities, like programs after propagation.
	final        = source{Options: randprog.Options{Wide: true, Calls: true, Meshes: true}}
	strangeCalls = source{Options: randprog.Options{Priorities: true, Wide: true, Calls: true, Meshes: true}}
)

const edges = "sdy-manual-axes-cleanup sdy-add-data-flow-edges "

// oraclePasses are Shardy's passes. Ours have the same names without sdy-.
var oraclePasses = []struct {
	pass string
	source
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
// The last long run had all 23 entries: seeds 100000 to 101999 of up to 6 ops, 200000 to 200299 of
// up to 12, and 300000 to 300049 of up to 25. Of 54,050 comparisons 5 differed: those two, and
// three that were then fixed. In 157 Shardy aborted. After the fixes, seeds 400000 to 400299 of up
// to 8 ops made 6900 comparisons: none differed, and in 22 Shardy aborted.
//
// Package internal/peer finds Shardy's driver and Python.
func TestOracle(t *testing.T) {
	python, driver := peer.Python(t, "jaxlib"), peer.Shardy(t, "sdy_oracle.py")
	entries := oraclePasses
	if *oracleEntry >= 0 {
		entries = entries[*oracleEntry : *oracleEntry+1]
	}
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	for i := range *oracleCount {
		seed := *oracleSeed + uint64(i)
		for _, p := range entries {
			m := p.program(seed, 1+i%*oracleOps)
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
	bad, aborted := make([]int, len(entries)), 0
	for i, line := range lines {
		if line == "ok" {
			continue
		}
		if line == "aborts" { // Shardy's process aborted: there is no result to compare with
			aborted++
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
	t.Logf("Shardy aborted on %d programs", aborted)
}
