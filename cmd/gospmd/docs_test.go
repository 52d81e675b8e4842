package main

// This file runs the commands of README.md and of the pages of docs/, and compares their output
// with the page. docs_blocks_test.go reads the pages.

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/golden"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// class says how commands of one kind are checked.
type class struct {
	pattern string // matches the command's text
	check   func(t *testing.T, p *pageRun, c docCommand)
	reason  string // why the command is not run, if check does not run it
}

// classes are tried in order; the first match decides. A command that matches no row is a failure.
var classes = []class{
	{`^(benchmarks/peers/setup\.sh|\./train|git |go install |source |apt-get |openssl |sbatch |kubectl |grep )`, checkNothing, "it is of the reader's machine or cluster"},
	{`-install |^gospmd completion `, checkNothing, "it installs something"},
	{`gospmd coordinator `, checkNothing, "it ends when it is stopped: TestCoordinator runs it"},
	{`^GOSPMD_PLATFORM=(cuda|tpu) `, checkNothing, "it needs accelerators"},
	{`^GOMLX_BACKEND=`, checkNothing, "it runs a program of the reader: the tests of gomlxbackend have some"},
	{`gospmd doctor -measure`, checkNothing, "it takes all cores for a minute: TestDoctorMeasure runs it"},
	{`go test `, checkTests, "it is a test itself, which CI runs"},
	{`go run \./(benchmarks|internal/)`, checkProgram, "it takes minutes, and its folder has tests"},
	{`gospmd (aot|fit .*-compiler)`, runWithTPU, ""},
	{`^gospmd doctor|-partitioner xla`, runWithPlugin, ""},
	{`go run \./examples/quickstart`, runShown, ""},
	{`go run \./examples/`, runLong, ""},
	{`^\(?gospmd `, runCommand, ""},
}

// documents returns the files whose commands are run: README.md, SECURITY.md and the pages of docs.
func documents(t *testing.T) []string {
	pages, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	return append([]string{"README.md", "SECURITY.md"}, pages...)
}

// TestDocs runs all commands of the documents. Each must meet the check of its class in the table
// classes. With -update it writes their output into the documents.
func TestDocs(t *testing.T) {
	needs.Tool(t, "dash", "sh")
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	t.Chdir(root)
	tools := &tools{root: root, bin: t.TempDir()}
	tools.wrap(t)
	matched, pages := map[string]bool{}, 0
	for _, name := range documents(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			pages++
			p := newPageRun(t, tools, filepath.Join(root, name))
			for _, c := range readCommands(string(p.text)) {
				i := slices.IndexFunc(classes, func(k class) bool { return regexp.MustCompile(k.pattern).MatchString(c.line) })
				require.GreaterOrEqual(t, i, 0, "no row of classes says how to check the command %q", c.line)
				matched[classes[i].pattern] = true
				t.Run(c.line, func(t *testing.T) { classes[i].check(t, p, c) })
			}
			if golden.Update() {
				require.NoError(t, os.WriteFile(p.file, p.text, 0o644))
			}
		})
	}
	for _, k := range classes {
		if pages < len(documents(t)) {
			break // only the commands that -run selects
		}
		require.True(t, matched[k.pattern], "no command is of the class %q: delete its row", k.pattern)
	}
}

// tools is a directory with the programs that commands of documents call: gospmd, which is this
// test program, and go, which replaces go run by programs that are built once.
type tools struct {
	root, bin string
	built     sync.Map // maps the path of a program in the module to the function that builds it once
}

// wrap writes the programs gospmd and go into the directory of w: scripts that run this test's
// binary as gospmd, and compiled programs in place of go run.
func (w *tools) wrap(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	for name, script := range map[string]string{
		"gospmd": fmt.Sprintf("%s=1 exec '%s' \"$@\"", asCommand, self),
		"go": `[ "$1" = run ] || exit 97
program="$(basename "$2")"; shift 2; exec "$program" "$@"`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(w.bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
}

// build builds a program, such as ./examples/quickstart, once, without what debuggers need.
func (w *tools) build(t *testing.T, program string) {
	build, _ := w.built.LoadOrStore(program, sync.OnceValue(func() error {
		command := exec.Command("go", "build", "-ldflags=-s -w", "-o", filepath.Join(w.bin, filepath.Base(program)), program)
		command.Dir = w.root
		if out, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		return nil
	}))
	require.NoError(t, build.(func() error)())
}

// pageRun runs a page's commands, in a directory that looks like the root of the module.
type pageRun struct {
	tools     *tools
	file, dir string
	text      []byte
}

func newPageRun(t *testing.T, tools *tools, file string) *pageRun {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	p := &pageRun{tools: tools, file: file, dir: t.TempDir(), text: text}
	entries, err := os.ReadDir(tools.root)
	require.NoError(t, err)
	for _, e := range entries {
		require.NoError(t, os.Symlink(filepath.Join(tools.root, e.Name()), filepath.Join(p.dir, e.Name())))
	}
	return p
}

// ranProgram matches the programs of the module that a command runs.
var ranProgram = regexp.MustCompile(`go run (\./[\w/]+)`)

// runCommand runs the command c of a document as a shell does, in the directory of p. It fails the
// test if the command fails, or if its output is not what the document shows. With -update it puts
// the output into p.text instead, unless the document has an ellipsis there.
func runCommand(t *testing.T, p *pageRun, c docCommand) {
	for _, m := range ranProgram.FindAllStringSubmatch(c.line, -1) {
		p.tools.build(t, m[1])
	}
	sh := exec.Command("sh", "-c", c.line)
	sh.Dir = p.dir
	sh.Env = append(os.Environ(), "PATH="+p.tools.bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, variable := range []string{compile.DebugVar, runtime.PlatformVar, "GOSPMD_ENGINE", "GOSPMD_CPU_DEVICES"} {
		sh.Env = append(sh.Env, variable+"=") // the documents show the output without these variables
	}
	sh.Env = append(sh.Env, "GOSPMD_COMPILATION_CACHE=memory") // so that the user's cache is not changed
	var out, diag bytes.Buffer
	sh.Stdout, sh.Stderr = &out, &diag
	if err := sh.Run(); err != nil {
		require.NoError(t, err, "%s%s", &out, &diag)
	}
	if !c.printed {
		return
	}
	if golden.Update() && !c.matches(out.String()) && !strings.Contains(c.output, "…\n") {
		before := "$ " + c.text + "\n" + c.output
		require.Contains(t, string(p.text), before)
		p.text = bytes.Replace(p.text, []byte(before), []byte("$ "+c.text+"\n"+out.String()), 1)
		return
	}
	if !c.matches(out.String()) {
		require.Equal(t, c.output, out.String(), "update the page by go test ./cmd/gospmd -run TestDocs -update")
	}
}

// runLong runs the command in the long form. In the short form it only requires that the program
// exists: building an example takes longer than running it, and the examples have tests.
func runLong(t *testing.T, p *pageRun, c docCommand) {
	checkProgram(t, p, c)
	if longtest.Enabled() {
		runCommand(t, p, c)
	}
}

// runShown runs the command in the long form, and in the short form if the page shows its output.
// The example has tests.
func runShown(t *testing.T, p *pageRun, c docCommand) {
	checkProgram(t, p, c)
	if c.printed || longtest.Enabled() {
		runCommand(t, p, c)
	}
}

// runWithPlugin runs a command that loads the plugin for CPUs, as runCommand does. Without cgo or
// the plugin the test is skipped.
func runWithPlugin(t *testing.T, p *pageRun, c docCommand) {
	needsPlugin(t, hardware.CPU)
	runCommand(t, p, c)
}

// runWithTPU is runCommand for a command that calls the compiler for TPUs. It skips the test where
// there is no plugin for TPUs.
func runWithTPU(t *testing.T, p *pageRun, c docCommand) {
	needsPlugin(t, hardware.TPU)
	runCommand(t, p, c)
}

// needsPlugin skips the test if programs cannot load the plugin of a platform.
func needsPlugin(t *testing.T, platform string) {
	needs.Cgo(t, runtime.HasPJRT)
	if _, err := plugin.Locate(plugin.Options{Platform: platform}); err != nil {
		needs.Plugin(t, platform, err)
	}
}

// checkNothing is the check for a command that cannot run here: it only requires that the page
// shows no output of it.
func checkNothing(t *testing.T, _ *pageRun, c docCommand) {
	require.False(t, c.printed, "what the command prints is not checked, so that the page must not show it")
}

// checkProgram requires that the programs which the command c of a document runs exist. It does not
// run them.
func checkProgram(t *testing.T, p *pageRun, c docCommand) {
	programs := ranProgram.FindAllStringSubmatch(c.line, -1)
	require.NotEmpty(t, programs)
	for _, m := range programs {
		files, err := filepath.Glob(filepath.Join(p.tools.root, m[1], "*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, files, m[1])
	}
}
