package gospmd_test

// This file enforces who may import whom. It reads the sources itself, with all build tags: go list
// sees only one platform, and go test would take the result of a test that calls it from its cache,
// although files have changed.

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
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
// import internal packages and the standard library. A path includes the paths below it only if it
// ends in "/...".
type allowed struct {
	pkg     string
	project string
	outside string
}

// groups are short names for sets of imports.
var groups = map[string]string{
	"core":    "mesh layout ir ir/pass ir/transform program target sharding trace compile compile/report runtime checkpoint",
	"all":     "core hardware fit sharding/shardypasses compile/... keras keras/... runtime/...",
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
	// Helper packages, which do not depend on the rest of the project.
	{pkg: "internal/option"},
	{pkg: "internal/autoname"},
	{pkg: "internal/pyregexp"},
	{pkg: "internal/budget"},
	{pkg: "internal/build"},
	{pkg: "internal/cache"},
	{pkg: "internal/brief"},
	{pkg: "internal/zipfile"},
	{pkg: "internal/memtest"},
	{pkg: "internal/suggest"},
	{pkg: "internal/hdf5"},
	{pkg: "internal/atomicfile"},
	{pkg: "internal/trusted"},
	{pkg: "internal/rowmajor"},
	{pkg: "internal/longtest"},
	{pkg: "internal/needs"},
	{pkg: "internal/plainlog"},
	{pkg: "internal/testsummary", outside: "golang.org/x/tools/txtar"},
	{pkg: "internal/golden", outside: "github.com/stretchr/testify/... golang.org/x/tools/txtar"},
	{pkg: "internal/mincut"},
	{pkg: "internal/peer"},
	{pkg: "internal/download", outside: "github.com/schollz/progressbar/v3 golang.org/x/term"},
	{pkg: "internal/jsonfloat"},
	{pkg: "internal/layerpath"},
	{pkg: "internal/errlist"},
	{pkg: "internal/texttable"},
	{pkg: "internal/reexec"},
	{pkg: "internal/xlaflag", outside: "google.golang.org/protobuf/encoding/protowire"},
	{pkg: "internal/tempdir", outside: "github.com/gofrs/flock"},
	{pkg: "internal/agree"},
	{pkg: "internal/made"},
	{pkg: "internal/agree/agreetest"},

	// The basic types.
	{pkg: "mesh"},
	{pkg: "hardware", outside: "dtypes"},
	{pkg: "layout", project: "mesh"},
	{pkg: "ir", project: "mesh layout", outside: "dtypes shapes"},
	{pkg: "ir/internal/opgen", project: "ir"},
	{pkg: "internal/jaxsuite", project: "mesh layout ir", outside: "dtypes"},
	{pkg: "internal/customcall", project: "ir"},
	{pkg: "internal/lapack", project: "ir", outside: "dtypes gonum.org/v1/gonum/..."},
	{pkg: "program", project: "mesh layout ir", outside: "dtypes"},
	{pkg: "ir/pass", project: "ir"},
	{pkg: "ir/transform", project: "mesh layout ir", outside: "dtypes"},
	{pkg: "target", project: "hardware mesh ir ir/transform program", outside: "dtypes"},
	{pkg: "ir/roles", project: "ir ir/transform"},

	// Makes random modules for the differential tests of the stages.
	{pkg: "internal/difftest", project: "mesh layout ir sharding/factor", outside: "dtypes"},

	// The stages. No compiler stage imports GoMLX. Only the runtime knows XLA.
	{pkg: "trace", project: "mesh layout ir", outside: "gomlx"},
	{pkg: "sharding/internal/sdy", project: "mesh layout ir"},
	{pkg: "sharding/internal/randprog", project: "mesh layout ir", outside: "dtypes"},
	{pkg: "sharding/factor", project: "mesh layout"},
	{pkg: "sharding", project: "mesh layout ir ir/roles sharding/factor sharding/internal/sdy", outside: "dtypes shapes"},
	{pkg: "sharding/shardypasses", project: "mesh layout ir ir/pass ir/transform sharding sharding/factor sharding/internal/sdy", outside: "dtypes"},
	{pkg: "compile/reshard", project: "mesh layout"},
	{pkg: "compile/autoshard", project: "mesh layout ir sharding/factor compile/cost"},
	{pkg: "compile/partition", project: "mesh layout ir sharding sharding/factor compile/reshard compile/cost compile/autoshard", outside: "dtypes"},
	{pkg: "compile/cost/buffers", project: "ir", outside: "dtypes"},
	{pkg: "compile/cost", project: "mesh hardware layout ir compile/cost/buffers", outside: "dtypes"},
	{pkg: "compile/report", project: "mesh layout ir program compile/cost"},
	{pkg: "compile/explain", project: "mesh layout ir program sharding"},
	{pkg: "compile", project: "hardware mesh layout ir ir/pass ir/roles ir/transform program target sharding compile/autoshard compile/partition compile/reshard compile/cost compile/report compile/explain", outside: "compute"},
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
	{pkg: "runtime/transport/transporttest", project: "ir runtime/transport runtime/goengine/interp", outside: "dtypes github.com/stretchr/testify/..."},
	{pkg: "runtime/transport/tcp", project: "ir runtime/transport", outside: "dtypes google.golang.org/grpc google.golang.org/grpc/..."},
	{pkg: "runtime/transport/gloo", project: "ir runtime/transport", outside: "dtypes github.com/gofrs/flock C"},
	{pkg: "runtime/collective", project: "mesh layout ir program runtime/transport runtime/goengine/interp", outside: "dtypes"},
	{pkg: "runtime/goengine", project: "mesh layout ir program runtime/goengine/interp", outside: "compute"},
	{pkg: "runtime/aot", project: "program target hardware compile/report runtime/plugin", outside: "google.golang.org/protobuf/encoding/protowire C"},
	{pkg: "runtime", project: "hardware mesh layout ir program target runtime/plugin runtime/ffi runtime/pjrtapi runtime/pjrtkv runtime/goengine runtime/goengine/... runtime/coordination runtime/transport runtime/transport/... runtime/collective", outside: "compute go-xla github.com/cespare/xxhash/v2 C"},
	{pkg: "runtime/inspect", project: "hardware mesh layout ir program runtime runtime/plugin runtime/pjrtapi"},
	{pkg: "fit", project: "mesh hardware ir ir/pass program target sharding compile compile/cost compile/report runtime/aot"},
	{pkg: "runtime/runtimetest", project: "hardware mesh layout ir program runtime runtime/coordination runtime/coordination/embedded runtime/transport/gloo", outside: "compute"},
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
	{pkg: "keras/optimizers", project: "mesh layout ir runtime keras/variable keras/initializers", outside: "gomlx"},
	{pkg: "keras/layers/internal/pixels", outside: "gomlx"},
	{pkg: "keras/layers/internal/sketch"},
	{pkg: "keras/layers/internal/signals", outside: "gomlx"},
	{pkg: "keras/layers/internal/nodes", project: "keras/layers/internal/pixels", outside: "gomlx"},
	{pkg: "keras/layers/internal/operations", project: "trace keras/activations keras/random keras/layers/internal/nodes keras/layers/internal/pixels keras/layers/internal/signals", outside: "gomlx"},
	{pkg: "keras/layers", project: "mesh layout ir trace keras/data keras/variable keras/distribution keras/random keras/initializers keras/activations keras/regularizers keras/constraints keras/layers/internal/nodes keras/layers/internal/operations keras/layers/internal/pixels keras/layers/internal/sketch keras/layers/internal/signals", outside: "gomlx github.com/dgryski/go-farm github.com/dchest/siphash"},
	{pkg: "keras", project: "mesh fit hardware layout ir trace sharding compile compile/cost compile/explain compile/report compile/suggest program target runtime checkpoint " +
		"keras/variable keras/distribution keras/random keras/data keras/losses keras/metrics keras/optimizers keras/layers", outside: "gomlx golang.org/x/term"},
	{pkg: "keras/ops", project: "keras/layers"},
	{pkg: "keras/saving", project: "core keras keras/...", outside: "gomlx"},
	{pkg: "keras/featurespace", project: "keras keras/data keras/layers", outside: "gomlx"},
	{pkg: "keras/utils", project: "keras keras/data keras/internal/classdir keras/layers keras/random", outside: "gomlx github.com/goccy/go-graphviz"},
	{pkg: "keras/callbacks", project: "core keras keras/data keras/layers keras/saving keras/variable", outside: "gomlx google.golang.org/protobuf/encoding/protowire"},
	{pkg: "keras/distribute", project: "keras keras/distribution"},
	{pkg: "keras/applications", project: "core keras keras/...", outside: "gomlx"},
	{pkg: "keras/applications/resnet", project: "keras keras/...", outside: "gomlx"},

	// Helpers for the tests of the packages above. These tests are external.
	{pkg: "trace/tracetest", project: "core runtime/runtimetest", outside: "gomlx github.com/stretchr/testify/..."},

	// Programs.
	{pkg: "docs"},
	{pkg: "cmd/...", project: "all docs", outside: "gomlx github.com/KimMachineGun/automemlimit/memlimit github.com/creack/pty golang.org/x/term golang.org/x/tools/txtar"},
	{pkg: "examples/internal/exampletest", project: "runtime runtime/coordination runtime/coordination/store runtime/runtimetest", outside: "github.com/stretchr/testify/require"},
	{pkg: "examples/guides/internal/guide", project: "keras keras/... examples/internal/example", outside: "gomlx"},
	{pkg: "examples/guides/internal/guidetest", project: "examples/guides/internal/guide examples/internal/exampletest", outside: "github.com/stretchr/testify/require"},
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

func TestLayering(t *testing.T) {
	files := 0
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
		files++
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, fault := range layeringFaults(filepath.ToSlash(name), f) {
			t.Error(fault)
		}
		return nil
	}))
	require.Greater(t, files, 10, "the test must run at the root of the module")
}

// layeringFaults returns the forbidden imports of one file. path is relative to the root.
func layeringFaults(name string, f *ast.File) (faults []string) {
	test := strings.HasSuffix(name, "_test.go")
	if test && strings.HasSuffix(f.Name.Name, "_test") {
		return nil // external tests may import packages that come later
	}
	pkg := path.Dir(name)
	i := slices.IndexFunc(layers, func(a allowed) bool { return matches(a.pkg, pkg) })
	if i < 0 {
		return []string{fmt.Sprintf("%s: package %s has no row in layers: add one to layering_test.go, and to DESIGN's table", name, pkg)}
	}
	row := layers[i]
	for _, spec := range f.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			faults = append(faults, fmt.Sprintf("%s: cannot read import %s", name, spec.Path.Value))
			continue
		}
		inside, isProject := strings.CutPrefix(imported, modulePath+"/")
		switch {
		case isProject && (strings.HasPrefix(inside, "internal/") || permits(row.project, inside)):
		// standard library
		case !isProject && imported != "C" && !strings.Contains(strings.Split(imported, "/")[0], "."):
		case !isProject && permits(row.outside, imported):
		case test && matches("github.com/stretchr/testify/...", imported):
		default:
			want := row.outside
			if isProject {
				want = row.project
			}
			if want == "" {
				want = "nothing"
			}
			faults = append(faults, fmt.Sprintf("%s: package %s imports %s, it may import %s", name, pkg, imported, want))
		}
	}
	return faults
}

// TestProgramsLinkNoServer follows the imports of a program within this module. A program may link
// etcd's client, but not etcd's server, which is larger than everything else together.
func TestProgramsLinkNoServer(t *testing.T) {
	servers := []string{modulePath + "/runtime/coordination/store", modulePath + "/runtime/coordination/embedded", "go.etcd.io/etcd/server/..."}
	links := func(pkg string) bool {
		return slices.ContainsFunc(servers, func(server string) bool { return matches(server, pkg) })
	}
	for _, program := range []string{"examples/quickstart", "examples/multiworker", "keras/distribute"} {
		require.Empty(t, importing(t, program, links), program)
	}
	require.NotEmpty(t, importing(t, "cmd/gospmd", links), "gospmd launch holds the store")
}

// importing returns the packages below a program of this module, itself included, that import a
// package that found accepts. Tests do not count.
func importing(t *testing.T, program string, found func(pkg string) bool) (by []string) {
	seen, todo := map[string]bool{program: true}, []string{program}
	for len(todo) > 0 {
		pkg := todo[0]
		todo = todo[1:]
		files, err := filepath.Glob(filepath.Join(pkg, "*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, files, pkg)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			require.NoError(t, err)
			for _, spec := range f.Imports {
				imported, err := strconv.Unquote(spec.Path.Value)
				require.NoError(t, err)
				if found(imported) {
					by = append(by, file)
				}
				if inside, ok := strings.CutPrefix(imported, modulePath+"/"); ok && !seen[inside] {
					seen[inside] = true
					todo = append(todo, inside)
				}
			}
		}
	}
	return by
}

// permits reports whether one of the names or groups in list is imported.
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

// This tests the test: the list must refuse forbidden imports.
func TestLayeringRefuses(t *testing.T) {
	const own, gomlx = modulePath + "/", "github.com/gomlx/"
	for _, tc := range []struct {
		name, file, pkg, imports string
		want                     string // part of the error; empty means no error
	}{
		{"standard library", "mesh/a.go", "mesh", "go/parser", ""},
		{"helper", "mesh/a.go", "mesh", own + "internal/suggest", ""},
		{"helper of the project", "internal/option/a.go", "option", own + "mesh", "it may import nothing"},
		{"left", "compile/a.go", "compile", own + "sharding", ""},
		{"right", "sharding/a.go", "sharding", own + "compile", "package sharding imports github.com/gospmd/gospmd/compile, it may import mesh layout ir"},
		{"beside", "compile/a.go", "compile", own + "trace", "it may import hardware mesh layout ir ir/pass ir/roles ir/transform program target sharding compile/autoshard"},
		{"right in an internal test", "ir/a_test.go", "ir", own + "compile", "it may import mesh layout"},
		{"right in an external test", "ir/a_test.go", "ir_test", own + "runtime", ""},
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
