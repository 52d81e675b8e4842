package compile_test

// This file checks the README: its blocks of IR must be what the compiler makes of the model that
// it shows, and the files that it names must exist.

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/golden"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/target"
)

// readmeModel makes the model of compile/README.md, a matmul whose contracted dimension is sharded
// over a 2x2 mesh, and predicts once, so that the step is compiled. It returns the directory of the
// modules that the compiler dumped, and the model.
func readmeModel(t *testing.T) (dumps string, model *keras.Model) {
	dumps = t.TempDir()
	runtimetest.Need(t, 4)
	require.NoError(t, distribution.Initialize(t.Context(), distribution.Options{Devices: 4}))
	mesh, err := distribution.ParseMesh("2x2", "data", "model")
	require.NoError(t, err)
	layouts := distribution.NewLayoutMap(mesh)
	layouts.Set("dense/kernel", "model", distribution.None)
	d, err := distribution.NewModelParallel(layouts, "data")
	require.NoError(t, err)
	require.NoError(t, distribution.Scope(d, func() error {
		x := keras.Input([]int{16})
		y := x.Apply(layers.Dense(8, layers.UseBias(false), layers.Name("dense")))
		if model, err = keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y}); err != nil {
			return err
		}
		o := keras.Compiler(compile.Options{Debug: pass.Debug{Dump: dumps}})
		if err := model.Compile(keras.Loss("mse"), o, keras.Logger(slog.New(slog.DiscardHandler))); err != nil {
			return err
		}
		data, err := random.Normal([]int{4, 16}, random.Seed(1))
		if err != nil {
			return err
		}
		_, err = model.Predict(context.Background(), data, keras.BatchSize(4), keras.Output(io.Discard))
		return err
	}))
	return filepath.Join(dumps, "00_predict_step"), model
}

// readmeBlock matches a block of the README after a comment "<!-- NAME -->".
var readmeBlock = regexp.MustCompile("(?s)<!-- (\\w+) -->\n```(\\w*)\n(.*?)```\n")

// readmeFile matches a file of the repository that the README names.
var readmeFile = regexp.MustCompile("`([a-z_]+/[a-z_/]+\\.go)`")

func TestREADME(t *testing.T) {
	dumps, model := readmeModel(t)
	blocks := map[string]string{"program": model.Programs()[0].String()}
	readDumps(t, dumps, blocks)
	for name, text := range blocks {
		if m, err := ir.Parse(text); err == nil {
			blocks[name] = m.String() // without locations
		}
	}
	m, err := ir.Parse(string(target.CPU.Text(model.Programs()[0])))
	require.NoError(t, err)
	blocks["text"] = m.String()

	data, err := os.ReadFile("README.md")
	require.NoError(t, err)
	found := 0
	got := readmeBlock.ReplaceAllStringFunc(string(data), func(block string) string {
		found++
		match := readmeBlock.FindStringSubmatch(block)
		name, language := match[1], match[2]
		text, ok := blocks[name]
		require.True(t, ok, "README.md has a block %q: want a pass, program or text", name)
		return fmt.Sprintf("<!-- %s -->\n```%s\n%s\n```\n", name, language, strings.TrimSpace(text))
	})
	require.Equal(t, 5, found)
	for _, file := range readmeFile.FindAllStringSubmatch(string(data), -1) {
		require.FileExists(t, filepath.Join("..", file[1]))
	}
	if golden.Update() {
		require.NoError(t, os.WriteFile("README.md", []byte(got), 0o666))
		return
	}
	require.Equal(t, got, string(data), "README.md; -update rewrites it")
}
