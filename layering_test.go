package gospmd_test

// This file enforces who may import whom. It reads the sources itself, with all build tags: go list
// sees only one platform, and go test would take the result of a test that calls it from its cache,
// although files have changed.

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const modulePath = "github.com/gospmd/gospmd"

// allowed is one row of the allow-list: the packages of this module, and the packages of other
// modules, that a package may import. They are names of groups or import paths. Every package may
// import the standard library. The row of a helper below internal also names the packages that may
// import the helper. A path includes the paths below it only if it
// ends in "/...".
type allowed struct {
	pkg     string
	by      string
	project string
	outside string
}

// groups are names for sets of imports, which rows of the table may use, or other groups.
var groups = map[string]string{
	"core":    "mesh layout ir ir/pass ir/transform program target sharding trace compile compile/report runtime checkpoint",
	"all":     "core hardware fit compile/... keras keras/... runtime/...",
	"dtypes":  "github.com/gomlx/compute/dtypes github.com/gomlx/compute/dtypes/...",
	"shapes":  "github.com/gomlx/compute/shapes github.com/gomlx/compute/shapeinference",
	"compute": "github.com/gomlx/compute github.com/gomlx/compute/...",
	"gomlx":   "compute github.com/gomlx/gomlx/...",
	"go-xla":  "github.com/gomlx/go-xla/pjrt github.com/gomlx/go-xla/installer",
}

// layers is the allow-list: every package of the module has a row, left to
// right in the order of the stages (DESIGN: trace records, sharding decides,
// compile rewrites, runtime runs).
var layers = []allowed{
	// Helpers know nothing of the project. Their rows say who may import them.
	{pkg: "internal/suggest", by: "internal/pathkey mesh layout hardware ir/pass target compile/... docs internal/hdf5 internal/option gomlxbackend checkpoint keras keras/... cmd/..."},
	{pkg: "internal/errlist", by: "ir sharding"},
	{pkg: "internal/pyregexp", by: "internal/pathkey keras/optimizers"},
	{pkg: "internal/pathkey", project: "internal/pyregexp internal/suggest", by: "layout compile/memory"},
	{pkg: "internal/build", by: "program compile runtime/coordination"},
	{pkg: "internal/made", by: "compile fit runtime checkpoint keras keras/..."},
	{pkg: "internal/half", by: "keras/random keras/saving runtime/goengine/interp", outside: "dtypes"},
	{pkg: "internal/mincut", by: "compile compile/autoshard"},
	{pkg: "internal/layerpath", by: "compile compile/memory compile/page compile/report runtime/aot"},
	{pkg: "internal/option", by: "keras keras/..."},
	{pkg: "internal/autoname", by: "keras/layers keras/metrics keras/optimizers keras/random keras/saving"},
	{pkg: "internal/jsonfloat", by: "keras keras/callbacks"},
	{pkg: "internal/agree", by: "checkpoint keras keras/callbacks keras/saving internal/testing/agreetest"},
	// Files.
	{pkg: "internal/atomicfile", by: "internal/cache internal/download program compile/cost runtime/aot runtime/plugin checkpoint keras keras/... examples/meshreshape benchmarks"},
	{pkg: "internal/budget", by: "internal/hdf5 internal/zipfile program runtime/plugin checkpoint keras keras/..."},
	{pkg: "internal/brief", by: "internal/hdf5 internal/option internal/zipfile runtime runtime/plugin checkpoint keras keras/..."},
	{pkg: "internal/rowmajor", by: "compile internal/hdf5 keras/saving runtime runtime/collective runtime/goengine/interp checkpoint"},
	{pkg: "internal/hdf5", by: "keras/saving"},
	{pkg: "internal/zipfile", by: "program runtime/aot keras/datasets keras/saving"},
	{pkg: "internal/cache", by: "compile compile/suggest keras runtime"},
	{pkg: "internal/trusted", by: "internal/cache runtime/plugin"},
	{pkg: "internal/tempdir", by: "runtime/coordination/store cmd/gospmd", outside: "github.com/gofrs/flock"},
	{pkg: "internal/download", by: "runtime/plugin keras/datasets keras/applications keras/applications/...", outside: "github.com/schollz/progressbar/v3 golang.org/x/term"},
	// Processes and what they print.
	{pkg: "internal/reexec", by: "runtime/aot runtime/inspect benchmarks/internal/worker"},
	{pkg: "internal/texttable", by: "program compile compile/... fit runtime runtime/... keras cmd/gospmd examples/meshreshape benchmarks benchmarks/..."},
	{pkg: "internal/plainlog", by: "cmd/gospmd examples/internal/example"},
	{pkg: "internal/xlaflag", by: "runtime runtime/aot", outside: "google.golang.org/protobuf/encoding/protowire"},

	// The basic types.
	{pkg: "mesh"},
	{pkg: "hardware", outside: "dtypes"},
	{pkg: "layout", project: "mesh"},
	{pkg: "ir", project: "mesh layout", outside: "dtypes shapes"},
	{pkg: "ir/internal/opgen", project: "ir"},
	{pkg: "internal/customcall", by: "runtime runtime/goengine/interp", project: "ir"},
	{pkg: "internal/lapack", by: "compile compile/partition sharding runtime/ffi runtime/goengine/interp", project: "ir", outside: "dtypes gonum.org/v1/gonum/..."},
	{pkg: "program", project: "mesh layout ir", outside: "dtypes"},
	{pkg: "ir/pass", project: "ir"},
	{pkg: "ir/transform", project: "mesh layout ir", outside: "dtypes"},
	{pkg: "target", project: "hardware mesh ir ir/transform program", outside: "dtypes"},
	{pkg: "ir/roles", project: "ir ir/transform"},

	// The stages. No compiler stage imports GoMLX. Only the runtime knows XLA.
	{pkg: "trace", project: "mesh layout ir", outside: "gomlx"},
	{pkg: "internal/sdy", by: "sharding cmd/gospmd/internal/shardypasses", project: "mesh layout ir"},
	{pkg: "sharding/factor", project: "mesh layout"},
	{pkg: "sharding", project: "mesh layout ir ir/roles sharding/factor", outside: "dtypes shapes"},
	{pkg: "cmd/gospmd/internal/shardypasses", project: "mesh layout ir ir/pass ir/transform sharding sharding/factor", outside: "dtypes"},
	{pkg: "compile/reshard", project: "mesh layout"},
	{pkg: "compile/autoshard", project: "mesh layout ir sharding/factor compile/cost"},
	{pkg: "compile/partition", project: "mesh layout ir sharding sharding/factor compile/reshard compile/cost compile/autoshard", outside: "dtypes"},
	{pkg: "compile/cost/buffers", project: "ir", outside: "dtypes"},
	{pkg: "compile/cost", project: "mesh hardware layout ir compile/cost/buffers", outside: "dtypes"},
	{pkg: "compile/memory", project: "mesh layout ir ir/transform program compile/cost", outside: "dtypes"},
	{pkg: "compile/microbatch", project: "mesh layout ir sharding compile/cost", outside: "dtypes"},
	{pkg: "compile/report", project: "mesh layout ir program target compile/cost"},
	{pkg: "compile/explain", project: "mesh layout ir program sharding"},
	{pkg: "compile", project: "hardware mesh layout ir ir/pass ir/roles ir/transform program target sharding compile/autoshard compile/memory compile/microbatch compile/partition compile/reshard compile/cost compile/report compile/explain", outside: "compute"},
	{pkg: "compile/page", project: "mesh layout ir program sharding compile/cost compile/report compile/explain compile/suggest"},
	{pkg: "compile/suggest", project: "mesh layout ir ir/pass ir/roles program sharding compile compile/autoshard compile/partition compile/cost compile/report"},
	{pkg: "runtime/plugin", project: "hardware", outside: "go-xla github.com/gofrs/flock"},
	{pkg: "runtime/ffi", project: "mesh layout ir program target", outside: "dtypes C"},
	{pkg: "runtime/pjrtapi", outside: "dtypes github.com/gomlx/go-xla/pjrt C"},
	{pkg: "runtime/pjrtkv", project: "runtime/pjrtapi", outside: "github.com/gomlx/go-xla/pjrt google.golang.org/protobuf/encoding/protowire C"},
	{pkg: "runtime/coordination/internal/schema"},
	{pkg: "runtime/coordination/jobtls"},
	{pkg: "runtime/coordination", project: "runtime/coordination/jobtls runtime/coordination/internal/schema",
		outside: "go.etcd.io/etcd/api/v3/... go.etcd.io/etcd/client/v3 go.uber.org/zap google.golang.org/grpc google.golang.org/grpc/codes google.golang.org/grpc/status"},
	{pkg: "runtime/coordination/store", project: "runtime/coordination/jobtls runtime/coordination/internal/schema",
		outside: "go.etcd.io/etcd/api/v3/etcdserverpb go.etcd.io/etcd/server/v3/... go.uber.org/zap go.uber.org/zap/zapcore google.golang.org/grpc google.golang.org/grpc/..."},
	{pkg: "runtime/coordination/embedded", project: "runtime/coordination runtime/coordination/store"},
	{pkg: "runtime/transport", project: "mesh layout ir", outside: "dtypes"},
	{pkg: "runtime/goengine/interp", project: "mesh layout ir", outside: "dtypes"},
	{pkg: "runtime/transport/tcp", project: "ir runtime/transport", outside: "dtypes google.golang.org/grpc google.golang.org/grpc/..."},
	{pkg: "runtime/transport/gloo", project: "ir runtime/transport", outside: "dtypes github.com/gofrs/flock C"},
	{pkg: "runtime/collective", project: "mesh layout ir program runtime/transport runtime/goengine/interp", outside: "dtypes"},
	{pkg: "runtime/goengine", project: "mesh layout ir program runtime/goengine/interp", outside: "compute"},
	{pkg: "runtime/aot", project: "ir program target hardware compile/cost compile/report runtime/plugin", outside: "google.golang.org/protobuf/encoding/protowire C"},
	{pkg: "runtime", project: "hardware mesh layout ir program target runtime/plugin runtime/ffi runtime/pjrtapi runtime/pjrtkv runtime/goengine runtime/goengine/... runtime/coordination runtime/transport runtime/transport/... runtime/collective", outside: "compute go-xla github.com/cespare/xxhash/v2 C"},
	{pkg: "runtime/inspect", project: "hardware mesh layout ir program runtime runtime/plugin runtime/pjrtapi"},
	{pkg: "fit", project: "mesh hardware ir ir/pass program target sharding compile compile/memory compile/cost compile/report runtime/aot"},
	{pkg: "runtime/measure", project: "hardware layout ir compile compile/cost runtime", outside: "dtypes"},
	{pkg: "checkpoint", project: "mesh layout ir program runtime", outside: "compute"},
	{pkg: "gomlxbackend", project: "mesh layout ir ir/roles trace program target compile compile/report runtime runtime/coordination", outside: "compute"},

	// Keras' packages, in their order of dependence.
	{pkg: "keras/variable", project: "ir layout trace runtime", outside: "gomlx"},
	{pkg: "keras/random", project: "layout", outside: "gomlx"},
	{pkg: "keras/distribution", project: "hardware mesh layout ir runtime runtime/coordination keras/random", outside: "gomlx"},
	{pkg: "keras/initializers", project: "layout keras/random", outside: "gomlx gonum.org/v1/gonum/..."},
	{pkg: "keras/activations", outside: "gomlx"},
	{pkg: "keras/internal/tensorfunc", outside: "gomlx"},
	{pkg: "keras/regularizers", project: "keras/internal/tensorfunc", outside: "gomlx"},
	{pkg: "keras/constraints", project: "keras/internal/tensorfunc", outside: "gomlx"},
	{pkg: "keras/data", project: "core keras/distribution keras/random", outside: "gomlx"},
	{pkg: "keras/datasets", outside: "gomlx"},
	{pkg: "keras/internal/classdir", project: "keras/data", outside: "gomlx"},
	{pkg: "keras/images", project: "keras/data keras/internal/classdir", outside: "gomlx"},
	{pkg: "keras/losses", project: "keras/activations", outside: "gomlx"},
	{pkg: "keras/metrics", project: "mesh layout ir keras/variable keras/initializers keras/losses", outside: "gomlx"},
	{pkg: "keras/internal/constant", outside: "gomlx"},
	{pkg: "keras/optimizers", project: "keras/internal/constant mesh layout ir runtime keras/variable keras/initializers", outside: "gomlx"},
	{pkg: "keras/layers/internal/pixels", outside: "gomlx"},
	{pkg: "keras/layers/internal/sketch"},
	{pkg: "keras/layers/internal/signals", outside: "gomlx"},
	{pkg: "keras/layers/internal/nodes", project: "keras/internal/constant keras/layers/internal/pixels", outside: "gomlx"},
	{pkg: "keras/layers/internal/operations", project: "trace keras/activations keras/random keras/layers/internal/nodes keras/layers/internal/pixels keras/layers/internal/signals", outside: "gomlx"},
	{pkg: "keras/layers", project: "mesh layout ir trace keras/data keras/variable keras/distribution keras/random keras/initializers keras/activations keras/regularizers keras/constraints keras/layers/internal/nodes keras/layers/internal/operations keras/layers/internal/pixels keras/layers/internal/sketch keras/layers/internal/signals runtime/goengine/interp", outside: "gomlx github.com/dgryski/go-farm github.com/dchest/siphash"},
	{pkg: "keras", project: "mesh fit hardware layout ir trace sharding compile compile/cost compile/explain compile/memory compile/microbatch compile/report compile/suggest program target runtime checkpoint " +
		"keras/variable keras/distribution keras/random keras/data keras/losses keras/metrics keras/optimizers keras/layers", outside: "gomlx golang.org/x/term"},
	{pkg: "keras/ops", project: "keras/layers"},
	{pkg: "keras/saving", project: "core keras keras/...", outside: "gomlx"},
	{pkg: "keras/featurespace", project: "keras keras/data keras/layers", outside: "gomlx"},
	{pkg: "keras/utils", project: "keras keras/data keras/internal/classdir keras/layers keras/random", outside: "gomlx github.com/goccy/go-graphviz"},
	{pkg: "keras/callbacks", project: "core keras keras/data keras/layers keras/saving keras/variable", outside: "gomlx google.golang.org/protobuf/encoding/protowire"},
	{pkg: "keras/distribute", project: "keras keras/distribution"},
	{pkg: "keras/applications", project: "core keras keras/...", outside: "gomlx"},
	{pkg: "keras/applications/resnet", project: "keras keras/...", outside: "gomlx"},

	// Packages for tests. The tests of all packages may import them.
	{pkg: "internal/testing"},
	{pkg: "internal/testing/needs"},
	{pkg: "internal/testing/longtest", project: "internal/testing/needs"},
	{pkg: "internal/testing/peer", project: "internal/testing/needs"},
	{pkg: "internal/testing/memtest"},
	{pkg: "internal/testing/agreetest"},
	{pkg: "internal/testing/golden", outside: "github.com/stretchr/testify/... golang.org/x/tools/txtar"},
	{pkg: "internal/testing/optiontest", outside: "github.com/stretchr/testify/require"},
	{pkg: "internal/testing/testsummary", project: "internal/testing/needs", outside: "golang.org/x/tools/txtar"},
	{pkg: "internal/testing/randprog", project: "mesh layout ir sharding/factor", outside: "dtypes"},
	{pkg: "internal/testing/difftest"},
	{pkg: "internal/testing/jaxsuite", project: "mesh layout ir", outside: "dtypes"},
	{pkg: "internal/testing/transporttest", project: "ir runtime/transport runtime/goengine/interp", outside: "dtypes github.com/stretchr/testify/..."},
	{pkg: "internal/testing/runtimetest", project: "hardware program runtime target internal/testing/longtest internal/testing/needs"},
	{pkg: "internal/testing/tracetest", project: "core internal/testing/runtimetest", outside: "gomlx github.com/stretchr/testify/..."},
	{pkg: "internal/testing/jobtest", project: "hardware runtime runtime/coordination runtime/coordination/embedded runtime/coordination/store runtime/transport/gloo internal/testing/runtimetest",
		outside: "github.com/stretchr/testify/require"},
	{pkg: "internal/testing/exampletest", project: "internal/testing/runtimetest internal/testing/longtest", outside: "github.com/stretchr/testify/require"},

	// Programs.
	{pkg: "docs"},
	{pkg: "cmd/...", project: "all docs cmd/gospmd/internal/shardypasses", outside: "gomlx github.com/KimMachineGun/automemlimit/memlimit github.com/creack/pty golang.org/x/term golang.org/x/tools/txtar"},
	{pkg: "examples/guides/internal/guide", project: "keras keras/... examples/internal/example", outside: "gomlx"},
	{pkg: "examples/guides/...", project: "all examples/guides/internal/...", outside: "gomlx"},
	{pkg: "examples/meshreshape", project: "all examples/internal/...", outside: "gomlx gonum.org/v1/plot gonum.org/v1/plot/..."},
	{pkg: "examples/gomlx/training", project: "gomlxbackend", outside: "gomlx"},
	{pkg: "examples/gomlx/...", project: "examples/gomlx/...", outside: "gomlx"},
	{pkg: "examples/...", project: "all examples/internal/...", outside: "gomlx"},
	{pkg: "benchmarks/internal/worker"},
	{pkg: "benchmarks/internal/gomlx", project: "hardware benchmarks/internal/worker benchmarks/steps keras/random runtime/plugin", outside: "gomlx github.com/gomlx/go-xla/compute/xla"},
	{pkg: "benchmarks/gomlxsteps", project: "gomlxbackend benchmarks/steps benchmarks/internal/gomlx examples/gomlx/programs", outside: "gomlx"},
	{pkg: "benchmarks", project: "all benchmarks/steps benchmarks/internal/...", outside: "gomlx github.com/schollz/progressbar/v3 golang.org/x/term gonum.org/v1/gonum/stat gonum.org/v1/plot gonum.org/v1/plot/..."},
	{pkg: "benchmarks/...", project: "all benchmarks/steps benchmarks/internal/...", outside: "gomlx"},
}

// source is a file of the module, named by its path from the root.
type source struct {
	name string
	file *ast.File
	text []byte
}

// sources returns all Go files of the module, tests included, with their imports and texts. Folders
// testdata and those that begin with . or _ are left out.
func sources(t *testing.T) (out []source) {
	require.NoError(t, filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := entry.Name(); entry.IsDir() && name != "." && (base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
			return filepath.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		out = append(out, source{filepath.ToSlash(name), f, text})
		return err
	}))
	require.Greater(t, len(out), 10, "the test must run at the root of the module")
	return out
}

func (s source) pkg() string  { return path.Dir(s.name) }
func (s source) isTest() bool { return strings.HasSuffix(s.name, "_test.go") }

// imports returns the import paths of a file.
func imports(f *ast.File) (out []string) {
	for _, spec := range f.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			panic("BUG: the parser accepts the import " + spec.Path.Value)
		}
		out = append(out, imported)
	}
	return out
}

func TestLayering(t *testing.T) {
	for _, s := range sources(t) {
		for _, fault := range layeringFaults(s.name, s.file) {
			t.Error(fault)
		}
	}
}

// rowOf returns the row of the table layers that applies to a package, or nil.
func rowOf(pkg string) *allowed {
	i := slices.IndexFunc(layers, func(a allowed) bool { return matches(a.pkg, pkg) })
	if i < 0 {
		return nil
	}
	return &layers[i]
}

// isTesting reports whether a package stands below internal/testing, or is it.
func isTesting(pkg string) bool { return matches("internal/testing/...", pkg+"/") }

// layeringFaults returns an error text for each forbidden import of the file f, which has that name
// relative to the root. External tests may import anything.
func layeringFaults(name string, f *ast.File) (faults []string) {
	test := strings.HasSuffix(name, "_test.go")
	if test && strings.HasSuffix(f.Name.Name, "_test") {
		return nil // external tests may import packages that come later
	}
	pkg := path.Dir(name)
	row := rowOf(pkg)
	if row == nil {
		return []string{fmt.Sprintf("%s: package %s has no row in layers: add one to layering_test.go, and to DESIGN's table", name, pkg)}
	}
	for _, imported := range imports(f) {
		inside, isProject := strings.CutPrefix(imported, modulePath+"/")
		standard := imported != "C" && !strings.Contains(strings.Split(imported, "/")[0], ".")
		helper := rowOf(inside)
		switch {
		case !isProject && (standard || permits(row.outside, imported)):
		case test && (matches("github.com/stretchr/testify/...", imported) || isTesting(inside)):
		case !isProject:
			faults = append(faults, fmt.Sprintf("%s: package %s imports %s, it may import %s", name, pkg, imported, cmp.Or(row.outside, "nothing")))
		case helper != nil && helper.by != "":
			if !permits(helper.by, pkg) {
				faults = append(faults, fmt.Sprintf("%s: package %s imports %s, which is for %s", name, pkg, imported, helper.by))
			}
		case !permits(row.project, inside):
			faults = append(faults, fmt.Sprintf("%s: package %s imports %s, it may import %s", name, pkg, imported, cmp.Or(row.project, "nothing")))
		}
	}
	return faults
}

// TestHelpersSayWho requires that the row of each internal package says who may import it, and
// names no package that does not.
func TestHelpersSayWho(t *testing.T) {
	used := uses(sources(t))
	imports := func(pattern, helper string) bool {
		for pkg, list := range used {
			if matches(pattern, pkg) && slices.Contains(list, modulePath+"/"+helper) {
				return true
			}
		}
		return false
	}
	for _, row := range layers {
		if !matches("internal/...", row.pkg) || isTesting(row.pkg) {
			continue
		}
		require.NotEmpty(t, row.by, "the row of %s does not say who may import it", row.pkg)
		for name := range strings.FieldsSeq(row.by) {
			require.True(t, imports(name, row.pkg), "the row of %s names %s, which does not import it", row.pkg, name)
		}
	}
}

// uses returns, by package, the import paths in its files other than tests.
func uses(files []source) map[string][]string {
	out := map[string][]string{}
	for _, s := range files {
		if !s.isTest() {
			out[s.pkg()] = append(out[s.pkg()], imports(s.file)...)
		}
	}
	return out
}

// linked returns the programs and all packages of the module that they import, directly or through
// others.
func linked(uses map[string][]string, programs ...string) []string {
	out := slices.Clone(programs)
	for i := 0; i < len(out); i++ {
		for _, imported := range uses[out[i]] {
			if inside, ok := strings.CutPrefix(imported, modulePath+"/"); ok && !slices.Contains(out, inside) {
				out = append(out, inside)
			}
		}
	}
	return out
}

// TestOnlyTests requires that a package that only tests import stands below internal/testing, and
// that one that commands, examples or benchmarks link does not.
func TestOnlyTests(t *testing.T) {
	files := sources(t)
	lines := map[string]int{}
	var programs []string
	for _, s := range files {
		if s.isTest() {
			continue
		}
		lines[s.pkg()] += bytes.Count(s.text, []byte("\n"))
		if s.file.Name.Name == "main" && !isTesting(s.pkg()) && !slices.Contains(programs, s.pkg()) {
			programs = append(programs, s.pkg())
		}
	}
	links := linked(uses(files), programs...)
	below, beside := 0, 0
	for _, pkg := range slices.Sorted(maps.Keys(lines)) {
		switch isLinked := slices.Contains(links, pkg); {
		case isTesting(pkg) && isLinked:
			t.Errorf("a command, example or benchmark links %s: move it out of internal/testing", pkg)
		case isTesting(pkg):
			below += lines[pkg]
		case !isLinked:
			beside += lines[pkg]
			t.Errorf("only tests import %s (%d lines): move it below internal/testing, or write an example that uses it", pkg, lines[pkg])
		}
	}
	t.Logf("lines that only tests import, without tests: %d below internal/testing, %d beside it", below, beside)
	require.NotZero(t, below)
}

// TestProgramsLinkNoServer follows the imports of a program within this module. A program may link
// etcd's client, but not etcd's server, which is larger than everything else together. Nor do tests
// of one process: linking tests takes a good part of their time.
func TestProgramsLinkNoServer(t *testing.T) {
	servers := []string{modulePath + "/runtime/coordination/store", modulePath + "/runtime/coordination/embedded", "go.etcd.io/etcd/server/..."}
	used := uses(sources(t))
	// importers are the packages that a program links and that import a server.
	importers := func(program string) (out []string) {
		require.Contains(t, used, program)
		for _, pkg := range linked(used, program) {
			if slices.ContainsFunc(used[pkg], func(imported string) bool {
				return slices.ContainsFunc(servers, func(server string) bool { return matches(server, imported) })
			}) {
				out = append(out, pkg)
			}
		}
		return out
	}
	for _, program := range []string{"examples/quickstart", "examples/multiworker", "keras/distribute", "internal/testing/exampletest", "internal/testing/tracetest"} {
		require.Empty(t, importers(program), program)
	}
	require.NotEmpty(t, importers("cmd/gospmd"), "gospmd launch holds the store")
}

// permits reports whether list, names and groups separated by blanks, allows an import: whether a
// name or a member of a group matches it.
func permits(list, imported string) bool {
	for _, name := range strings.Fields(list) {
		if members, ok := groups[name]; ok && permits(members, imported) || matches(name, imported) {
			return true
		}
	}
	return false
}

// matches reports whether name equals pkg, or name is a/... and pkg is in a.
func matches(name, pkg string) bool {
	parent, below := strings.CutSuffix(name, "...")
	return name == pkg || below && strings.HasPrefix(pkg, parent)
}

// This tests the layering test: it must refuse each forbidden import with an error that names the
// allowed ones, and accept the allowed imports.
func TestLayeringRefuses(t *testing.T) {
	const own, gomlx = modulePath + "/", "github.com/gomlx/"
	for _, tc := range []struct {
		name, file, pkg, imports string
		want                     string // part of the error; empty means no error
	}{
		{"standard library", "mesh/a.go", "mesh", "go/parser", ""},
		{"helper", "mesh/a.go", "mesh", own + "internal/suggest", ""},
		{"helper for others", "mesh/a.go", "mesh", own + "internal/zipfile", "which is for program runtime/aot keras/datasets keras/saving"},
		{"helper of the project", "internal/option/a.go", "option", own + "mesh", "it may import nothing"},
		{"left", "compile/a.go", "compile", own + "sharding", ""},
		{"right", "sharding/a.go", "sharding", own + "compile", "package sharding imports github.com/gospmd/gospmd/compile, it may import mesh layout ir"},
		{"beside", "compile/a.go", "compile", own + "trace", "it may import hardware mesh layout ir ir/pass ir/roles ir/transform program target sharding compile/autoshard"},
		{"right in an internal test", "ir/a_test.go", "ir", own + "compile", "it may import mesh layout"},
		{"right in an external test", "ir/a_test.go", "ir_test", own + "runtime", ""},
		{"what only tests use, in a test", "ir/a_test.go", "ir", own + "internal/testing/needs", ""},
		{"what only tests use, in a package", "ir/a.go", "ir", own + "internal/testing/needs", "it may import mesh layout"},
		{"what only tests use, among themselves", "internal/testing/peer/a.go", "peer", own + "internal/testing/needs", ""},
		{"testify in a test", "ir/a_test.go", "ir", "github.com/stretchr/testify/require", ""},
		{"testify in a package", "ir/a.go", "ir", "github.com/stretchr/testify/require", "it may import dtypes shapes"},
		{"GoMLX in the compiler", "compile/a.go", "compile", gomlx + "gomlx/core/graph", "it may import compute"},
		{"GoMLX in trace", "trace/a.go", "trace", gomlx + "gomlx/core/graph", ""},
		{"XLA in the runtime", "runtime/a.go", "runtime", gomlx + "go-xla/pjrt", ""},
		{"XLA in Keras", "keras/a.go", "keras", gomlx + "go-xla/pjrt", "it may import gomlx"},
		{"cgo in the runtime", "runtime/a.go", "runtime", "C", ""},
		{"cgo elsewhere", "compile/a.go", "compile", "C", "imports C"},
		{"compute in ir, but for types", "ir/a.go", "ir", gomlx + "compute", "it may import dtypes shapes"},
		{"up in Keras", "keras/layers/a.go", "layers", own + "keras", "it may import mesh layout ir trace keras/data keras/variable"},
		{"programs", "cmd/gospmd/a.go", "main", own + "keras/layers", ""},
		{"no row", "newpackage/a.go", "newpackage", "fmt", "has no row"},
		{"no row below one", "keras/newpackage/a.go", "newpackage", "fmt", "has no row"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f, err := parser.ParseFile(token.NewFileSet(), tc.file, fmt.Sprintf("package %s\nimport %q", tc.pkg, tc.imports), parser.ImportsOnly)
			require.NoError(t, err)
			faults := strings.Join(layeringFaults(tc.file, f), "\n")
			require.Contains(t, faults, tc.want)
			require.Equal(t, tc.want == "", faults == "")
		})
	}
}
