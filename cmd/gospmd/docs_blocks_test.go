package main

// This file reads the blocks of the documents: commands with and without output, tests, and Go.

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// docCommand is a command of a document.
type docCommand struct {
	line    string // command as a shell reads it, without its comment, on one line
	text    string // command as it is written in a console block
	output  string
	printed bool // the document has its output
}

var (
	// docBlock matches a fenced block: the comment before it, its language, its text.
	docBlock = regexp.MustCompile("(?m)^((?:<!-- .* -->\n)?)```(\\w*)\n((?s:.*?))^```$")
	// toldCommand matches a command in a console block, with its output.
	toldCommand = regexp.MustCompile(`(?m)^\$ ((?:.*\\\n)*.*)\n((?:[^$\n].*\n|\n)*)`)
	// inlineTest matches a go test command in prose or in a table.
	inlineTest = regexp.MustCompile("`((?:[A-Z_]+=\\S+ )*go test [^`]*)`")
	// trailing matches a comment after a command.
	trailing = regexp.MustCompile(`\s+# .*$`)
	// continued matches the place where a command continues on the next line.
	continued = regexp.MustCompile(`\s*\\\n\s*`)
	// varying matches output that differs from run to run, or from machine to machine.
	varying = regexp.MustCompile(`it took [0-9.]+ s|\d+s \d+[mu]?s/step`)
)

// readCommands returns the commands of a document: those in blocks sh and console, and the tests in
// its prose.
func readCommands(text string) (all []docCommand) {
	for _, m := range docBlock.FindAllStringSubmatch(text, -1) {
		switch m[2] {
		case "console":
			for _, c := range toldCommand.FindAllStringSubmatch(m[3], -1) {
				all = append(all, docCommand{line: oneLine(c[1]), text: c[1], output: c[2], printed: c[2] != ""})
			}
		case "sh":
			for _, line := range strings.Split(continued.ReplaceAllString(m[3], " "), "\n") {
				if line = oneLine(line); strings.TrimSpace(line) != "" {
					all = append(all, docCommand{line: line})
				}
			}
		}
	}
	for _, m := range inlineTest.FindAllStringSubmatch(docBlock.ReplaceAllString(text, ""), -1) {
		all = append(all, docCommand{line: strings.ReplaceAll(m[1], `\|`, "|")})
	}
	return all
}

// oneLine returns a command without its comment, on one line.
func oneLine(text string) string {
	return trailing.ReplaceAllString(continued.ReplaceAllString(text, " "), "")
}

// matches reports whether got, what the command has printed, is what the document has. A line with
// an ellipsis in the document matches any number of lines, and what varies matches any other such
// text.
func (c docCommand) matches(got string) bool {
	var pattern strings.Builder
	for _, line := range strings.SplitAfter(varying.ReplaceAllString(c.output, "•"), "\n") {
		if line == "…\n" {
			pattern.WriteString(`(?:.*\n)*?`)
		} else {
			pattern.WriteString(regexp.QuoteMeta(line))
		}
	}
	return regexp.MustCompile(`^` + pattern.String() + `$`).MatchString(varying.ReplaceAllString(got, "•"))
}

var (
	testPackages = regexp.MustCompile(`\s(\.\S*)`)
	testPatterns = regexp.MustCompile(`-(?:run|bench|fuzz) '?([^\s']+)'?`)
	testFlags    = regexp.MustCompile(`\s-([a-z]\w*)`)
	testFunc     = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz|Example)\w*)\(`)
)

// goTestFlags are the flags of go test in the documents. Other flags must be flags of the tests.
const goTestFlags = " run bench fuzz v timeout json short race update count gcflags "

// checkTests requires that the packages of a go test command have tests with the selected names,
// and the flags of the command.
func checkTests(t *testing.T, p *pageRun, c docCommand) {
	var source strings.Builder
	for _, m := range testPackages.FindAllStringSubmatch(c.line, -1) {
		dir, tree := strings.CutSuffix(m[1], "/...")
		files := 0
		require.NoError(t, filepath.WalkDir(filepath.Join(p.tools.root, dir), func(name string, e os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if e.IsDir() && (!tree && name != filepath.Join(p.tools.root, dir) || e.Name() == "testdata") {
				return filepath.SkipDir
			}
			if strings.HasSuffix(name, "_test.go") {
				text, err := os.ReadFile(name)
				source.Write(text)
				files++
				return err
			}
			return nil
		}))
		require.Positive(t, files, "%s has no tests", m[1])
	}
	var names []string
	for _, m := range testFunc.FindAllStringSubmatch(source.String(), -1) {
		names = append(names, m[1])
	}
	for _, m := range testPatterns.FindAllStringSubmatch(c.line, -1) {
		for _, pattern := range strings.Split(m[1], "|") {
			if pattern == "^$" {
				continue
			}
			pattern, _, _ = strings.Cut(pattern, "/") // the part after the slash selects subtests
			require.Regexp(t, "(?m)"+strings.TrimPrefix(pattern, "^"), strings.Join(names, "\n"), "no test of %s", c.line)
		}
	}
	for _, m := range testFlags.FindAllStringSubmatch(c.line, -1) {
		if !strings.Contains(goTestFlags, " "+m[1]+" ") {
			require.Regexp(t, `flag\.\w+\((&\w+, )?"`+m[1]+`"`, source.String(), "-%s is no flag of these tests", m[1])
		}
	}
}

// TestDocsGo demands that each block of Go in the documents is in the file that the comment before
// it names: <!-- keras/fit_example_test.go -->. A line with an ellipsis matches any number of
// lines.
func TestDocsGo(t *testing.T) {
	t.Chdir("../..")
	blocks := 0
	for _, name := range documents(t) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range docBlock.FindAllStringSubmatch(string(text), -1) {
			if m[2] != "go" {
				continue
			}
			file := strings.TrimSuffix(strings.TrimPrefix(m[1], "<!-- "), " -->\n")
			require.NotEmpty(t, file, "%s: name the file of the Go before the block\n%s", name, m[3])
			source, err := os.ReadFile(file)
			require.NoError(t, err, name)
			rest := unindent(string(source))
			for _, part := range strings.Split(m[3], "…\n") {
				_, after, found := strings.Cut(rest, unindent(part))
				require.True(t, found, "%s: %s does not have\n%s", name, file, part)
				rest = after
			}
			blocks++
		}
	}
	require.Greater(t, blocks, 5)
}

// unindent returns lines of Go without indentation, and without blank lines.
func unindent(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

// readCommands finds the commands of a page and their outputs, and matches compares an output with
// a wanted one in which … stands for any lines and times are ignored.
func TestDocsReaders(t *testing.T) {
	const page = "Text `go test ./ir -run 'A\\|B'`.\n\n```sh\ngospmd x \\\n  -y   # why\n\nA=b go run ./z\n```\n\n```console\n$ gospmd \\\n  one\nout\n\nmore\n$ gospmd two\n```\n"
	require.Equal(t, []docCommand{
		{line: "gospmd x -y"}, {line: "A=b go run ./z"},
		{line: "gospmd one", text: "gospmd \\\n  one", output: "out\n\nmore\n", printed: true}, {line: "gospmd two", text: "gospmd two"},
		{line: "go test ./ir -run 'A|B'"},
	}, readCommands(page))
	for _, tc := range []struct {
		output, got string
		want        bool
	}{
		{"a\n", "a\n", true},
		{"a\n", "a\nb\n", false},
		{"a\n…\n", "a\nb\nc\n", true},
		{"a\n…\nc\n", "a\nc\n", true},
		{"a\n…\nd\n", "a\nb\nc\n", false},
		{"1s 3ms/step - loss: 1.0\n", "12s 785us/step - loss: 1.0\n", true},
		{"1s 3ms/step - loss: 1.0\n", "1s 3ms/step - loss: 1.1\n", false},
		{"it took 2.0 s\n", "it took 1.9 s\n", true},
	} {
		require.Equal(t, tc.want, docCommand{output: tc.output}.matches(tc.got), "%q, %q", tc.output, tc.got)
	}
}
