package main

// This file compares gospmd opt with Shardy: on Shardy's own tests, whose results must be equal; on
// the programs of these tests with other passes; and on random changes of them (mutate_test.go).

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/peer"
)

// asCommand is the environment variable that makes the test program behave as gospmd, so that
// Shardy's test driver can run it.
const asCommand = "GOSPMD_AS_COMMAND"

func TestMain(m *testing.M) {
	serve()
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	if file := os.Getenv(asDigest); file != "" {
		text, err := digests(file)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Print(text)
		return
	}
	if os.Getenv(compile.DebugVar) == "" {
		os.Setenv(compile.DebugVar, "verify=each")
	}
	os.Exit(m.Run())
}

// TestConformance runs Shardy's tests of propagation and of sharding rules: the printed results
// must be equal to Shardy's. There are no exceptions.
//
// Package peer finds the cases, their driver and a Python.
func TestConformance(t *testing.T) {
	longtest.SkipShort(t, "it runs all of Shardy's cases")
	python, script := peer.Python(t, "jaxlib"), filepath.Join(peer.Shardy(t, "conformance.py"), "conformance.py")
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(python, script, "--fail-list", "--", self, "opt")
	cmd.Env = append(os.Environ(), asCommand+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Logf("%s", out)
	require.Regexp(t, `(?m)^[1-9]\d* passed, 0 failed$`, string(out))
}

var (
	corpusSeed    = flag.Uint64("corpus.seed", 1, "first seed of TestCorpus")
	corpusMutants = flag.Int("corpus.n", 200, "number of changed programs of TestCorpus")
	corpusCross   = flag.Int("corpus.cross", 150, "number of programs that TestCorpus takes through passes other than their own; 0: each through all")
	corpusShown   = flag.Int("corpus.shown", 10, "number of differences that TestCorpus prints in full")
)

// corpusPasses are the lists of passes that are run on the programs.
var corpusPasses = []string{
	"",
	"basic-propagate",
	"basic-propagate{conservative-propagation=true}",
	"aggressive-propagate",
	"aggressive-propagate{propagation-strategy=basic-then-aggressive}",
	"aggressive-propagate{conservative-propagation=true}",
	"op-priority-propagate",
	"op-priority-propagate{conservative-propagation=true}",
	"user-priority-propagate",
	"user-priority-propagate{keep-sharding-rules=true}",
	"add-data-flow-edges",
	"sink-data-flow-edges",
	"manual-axes-cleanup,add-data-flow-edges,basic-propagate,sink-data-flow-edges",
	"manual-axes-cleanup,add-data-flow-edges,aggressive-propagate,sink-data-flow-edges",
	"manual-axes-cleanup,add-data-flow-edges,user-priority-propagate",
	"apply-sharding-constraints",
	"manual-axes-cleanup,add-data-flow-edges,apply-sharding-constraints,sharding-group-import,user-priority-propagate,sink-data-flow-edges",
	"sharding-group-import",
	"populate-op-sharding-rules",
	"populate-op-sharding-rules{conservative-propagation=true}",
	"import-pipeline",
	"import-pipeline{dedup-functions-fully=true}",
	"export-pipeline",
	"propagation-pipeline",
	"propagation-pipeline{dedup-functions-fully=true}",
	"symbol-dce",
	"lift-inlined-meshes",
	"remove-size-one-axes",
	"propagate-sharding-from-func-to-call",
	"constant-or-scalar-splitter",
	"manual-axes-cleanup",
	"add-func-data-flow-edges",
	"flatten-call-graph",
	"import-func-calls",
	"pre-order-funcs",
	"propagate-to-func-results",
	"sink-func-data-flow-edges",
	"export-named-computations",
	"unflatten-call-graph",
	"insert-func-call-reshards",
	"constant-or-scalar-merger",
	"remove-sharding-groups",
	"sharding-constraint-to-reshard",
	"update-non-divisible-input-output-shardings",
	"remove-sub-axes-in-input-output-shardings",
	"close-shardings",
	"insert-explicit-reshards",
	"drop-sharding-rules",
}

// corpusCase is a line of JSON that is exchanged with testdata/corpus.py.
type corpusCase struct {
	ID     string `json:"id"`
	Passes string `json:"passes"`
	Input  string `json:"input"`
	Ours   string `json:"ours"`
	Error  string `json:"error"`
}

// TestCorpus runs lists of passes on Shardy's programs, unchanged and changed, in gospmd and in
// Shardy. Both must print the same, or both must refuse the input. The changes are to shardings
// (axes moved, split, added and removed, open and closed dimensions, priorities, replicated and
// unreduced axes, ranks, meshes), sizes of axes, manual axes, constraints, barriers, groups,
// functions, calls and uses.
//
// The long runs. Faults of gospmd are fixed; decidedDifferences has the differences that stay.
//
//	programs                     seeds            comparisons   differ for other reasons
//	changed                      5000 to 7999      3000         6990: an edge with unreduced axes, which Shardy drops
//	changed                      20000 to 23999    4000         20096: a group within a manual computation, where Shardy
//	                                                            lays out a value along a manual axis and then refuses its
//	                                                            own result
//	changed                      30000 to 32999    3000         31360, 32278: groups that hold a value twice or a loop's
//	                                                            argument, without sharding-group-import
//	all 270, through all lists   -corpus.cross=0  12960         two with func_data_flow_edges before the pipeline that adds
//	                                                            them, where Shardy refuses its own result; two of
//	                                                            aggressive-propagate without edges on while_result_use,
//	                                                            where ours lays out what Shardy leaves open in the loop
//
// 173 of the last are decided.
//
// Package peer finds the cases, Shardy's driver and a Python.
func TestCorpus(t *testing.T) {
	longtest.SkipShort(t, "it runs all of Shardy's cases")
	python, folder := peer.Python(t, "jaxlib"), peer.Shardy(t, "corpus_dev.json.xz")
	dump := exec.Command(python, "testdata/corpus.py", folder, "dump")
	text, err := dump.Output()
	require.NoError(t, err)
	var programs []corpusCase
	for dec := json.NewDecoder(bytes.NewReader(text)); dec.More(); {
		var c corpusCase
		require.NoError(t, dec.Decode(&c))
		programs = append(programs, c)
	}
	var cases []corpusCase
	if *corpusCross == 0 {
		for _, c := range programs {
			for _, p := range corpusPasses {
				cases = append(cases, corpusCase{ID: c.ID, Passes: p, Input: c.Input})
			}
		}
	}
	for i := range *corpusCross {
		rng := rand.New(rand.NewPCG(*corpusSeed, uint64(i)))
		c := programs[rng.IntN(len(programs))]
		cases = append(cases, corpusCase{ID: c.ID, Passes: corpusPasses[rng.IntN(len(corpusPasses))], Input: c.Input})
	}
	for i := range *corpusMutants {
		seed := *corpusSeed + uint64(i)
		rng := rand.New(rand.NewPCG(seed, 0))
		c := programs[rng.IntN(len(programs))]
		c.ID = fmt.Sprintf("%s, seed %d", c.ID, seed)
		c.Input = mutate(c.Input, rng)
		if rng.IntN(2) == 0 {
			c.Passes = corpusPasses[rng.IntN(len(corpusPasses))]
		}
		cases = append(cases, c)
	}
	compareWithShardy(t, python, folder, cases)
}

// compareWithShardy runs gospmd opt on the inputs of the cases, and Shardy by the Python script
// corpus.py. It fails the test for each case that panics, and for the first -corpus.shown cases
// whose results differ, except those of decidedDifferences. It logs how many there are of each
// kind.
func compareWithShardy(t *testing.T, python, folder string, cases []corpusCase) {
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	for i := range cases {
		c := &cases[i]
		if c.Ours, c.Error = opt(c.Input, c.Passes); strings.HasPrefix(c.Error, "panic") || strings.Contains(c.Error, " panicked: ") {
			t.Errorf("%s, -passes=%s: %s\n%s", c.ID, c.Passes, c.Error, c.Input)
		}
		require.NoError(t, enc.Encode(c))
	}
	cmd := exec.Command(python, "testdata/corpus.py", folder, "compare")
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = &in, &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	answers := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Len(t, answers, len(cases))
	count := make(map[string]int)
	for i, answer := range answers {
		c := cases[i]
		if !strings.HasPrefix(answer, `"`) {
			count[answer]++
			continue
		}
		var text string
		require.NoError(t, json.Unmarshal([]byte(answer), &text))
		if slices.ContainsFunc(decidedDifferences, func(d decided) bool { return strings.Contains(text, d.says) }) {
			count["decided"]++
			continue
		}
		if count["differ"]++; count["differ"] <= *corpusShown {
			t.Errorf("%s, -passes=%s: %s", c.ID, c.Passes, text)
		}
	}
	t.Logf("%d programs: %v", len(cases), count)
}

// decided is an intended difference.
type decided struct{ says, reason string }

// decidedDifferences are the intended differences. Each is recognized by Shardy's message or by
// ours.
var decidedDifferences = []decided{
	{"expected input of sdy.data_flow_edge to not be defined by an SdyDialect op", "a program that has edges already gets no second ones: Shardy adds them and then finds its own work invalid"},
	{"corresponding sharding, and region result shape", "an edge behind a manual computation that lacks its manual axes: the computation keeps them, Shardy makes an invalid program"},
	{"is not divisible by the manual axes size", "what a manual axis does not divide is padded, as everywhere"},
	{"recursion is not possible", "a function that calls itself can not be sharded: Shardy's inlining does not end"},
}

// opt returns what gospmd opt prints for the module text with these passes, or the text of its
// error or panic.
func opt(text, passes string) (out, failure string) {
	defer func() {
		if p := recover(); p != nil {
			failure = fmt.Sprint("panic: ", p)
		}
	}()
	out, err := optText(text, passes)
	if err != nil {
		return "", err.Error()
	}
	return out, ""
}
