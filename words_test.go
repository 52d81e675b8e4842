package gospmd_test

// This file enforces that the repository uses the field's words, and not other words for the same
// things.

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// retired is a row of the list: a word that must not occur in identifiers or prose, as a regular
// expression, and the word that a reader from XLA, Shardy or Keras would use.
type retired struct {
	stem      string // part of every match, in lower case
	word, use string
	except    string // lines that match this expression may contain the word
}

// retiredWords lists the words that are not to come back, and their replacements. They are matched
// in any case.
var retiredWords = []retired{
	{"meeting", `\bmeetings?\b|meetingbytes`, "collective launch, latency; rendezvous", ""},
	{"pric", `\bprice[ds]?\b|\bpricing\b|pricer`, "cost", ""},
	{"balance", `\bbalancer?\b|\bpass_balance`, "auto-sharding", ""},
	{"track", `\btracks?\b|tracknet`, "dimension group; cut graph", `keep(s|ing)? track|tracks? (the|what|which|how)|git tracks?`},
	{"rehears", `rehears`, "dry run", ""},
	{"scene", `\bscenes?\b`, "op node", ""},
	{"journal", `\bjournal\b`, "undo log", ""},
	{"leg", `\blegs?\b`, "segment", ""},
	{"hop", `\bhops?\b`, "propagation edge, path step", ""},
	{"atom", `\batoms?\b`, "prime sub-axis", ""},
	{"wak", `\bwakes?\b|\bwaking\b`, "broadcast", `wakes? (up|the|a|it)`},
	{"reblock", `\breblock`, "halo exchange", ""},
	{"keepfirst", `keepfirst\b`, "replicated-to-unreduced", ""},
	{"outstanding", `\boutstanding\b`, "unreduced, partial", ""},
	{"lies", `\blies\b`, "is sharded as, has the sharding", ""},
	{"laid", `\blaid\b`, "is sharded as, has the sharding", `laid out`},
	{"rema", `\bremakes?\b|\bremade\b`, "rematerialize", ""},
	{"thaw", `\bthaw`, "unfreeze", ""},
	{"anew", `\banew\b`, "again", ""},
	{"kin", `\bkin\b`, "variants", ""},
	{"dear", `\bdear\b`, "expensive", ""},
	{"lane", `\blanes?\b`, "stream, queue", ""},
	{"flight", `\bflights?\b`, "future", `in flight`},
	{"poisonedby", `poisonedby`, "dependency error", ""},
	{"taker", `\btakers?\b`, "donee", ""},
	{"lockstep", `\blockstep\b`, "SPMD execution", ""},
	{"team", `\bteams?\b`, "device group", ""},
	{"turns", `\.turns\b|\bturns (int|:?=)|turnsof|(number of|how many) turns`, "trip count, iterations", ""},
	{"port", `\bports?\b`, "argument, result, signature", `tcp|localhost|listen|address|import|hostport|host:port|free port|the port|that port`},
}

// textFiles has the extensions of the files that are searched for retired words.
var textFiles = map[string]bool{".go": true, ".md": true, ".py": true, ".sh": true}

func TestRetiredWords(t *testing.T) {
	files := 0
	require.NoError(t, filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := entry.Name(); entry.IsDir() && name != "." && (base == "testdata" || strings.HasPrefix(base, ".")) {
			return filepath.SkipDir
		}
		if entry.IsDir() || !textFiles[filepath.Ext(name)] || name == "words_test.go" || name == "CHANGELOG.md" {
			return nil
		}
		files++
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		lower := strings.ToLower(string(text))
		for _, r := range retiredWords {
			if !strings.Contains(lower, r.stem) {
				continue
			}
			for i, line := range strings.Split(lower, "\n") {
				if word := r.find(line); word != "" {
					t.Errorf("%s:%d: %q is retired, say %s: %s", name, i+1, word, r.use, strings.TrimSpace(line))
				}
			}
		}
		return nil
	}))
	require.Greater(t, files, 10, "the test must run at the root of the module")
}

// find returns the word's match in a line of lower case. It returns "" if there is none, or if the
// line is an exception.
func (r retired) find(line string) string {
	if !strings.Contains(line, r.stem) || r.except != "" && regexp.MustCompile(r.except).MatchString(line) {
		return ""
	}
	return regexp.MustCompile(r.word).FindString(line)
}

// This tests the list: it must find the words, and accept exceptions.
func TestRetiredWordsAreFound(t *testing.T) {
	for line, want := range map[string]bool{
		"the meetings of devices": true, "how it is laid": true, "a MeetingBytes constant": true, "one lane each": true,
		"executions in flight": false, "it keeps track of them": false, "a TCP port": false,
	} {
		found := slices.ContainsFunc(retiredWords, func(r retired) bool { return r.find(strings.ToLower(line)) != "" })
		require.Equal(t, want, found, line)
	}
}
