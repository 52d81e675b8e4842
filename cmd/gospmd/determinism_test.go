package main

// This file tests that the same module gives the same bytes, in whatever order Go iterates over
// maps.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/page"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/compile/suggest"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/target"
)

// asDigest is an environment variable that names a file. If it is set, the test program prints the
// digests of the results for its modules.
const asDigest = "GOSPMD_AS_DIGEST"

// suggestions are separate, because they compile a module many times.
const suggestions = "suggestions"

// stages are all results that the compiler makes of a module's text. The order of iterations over
// maps differs in each run, and the hash of keys in each process.
var stages = []struct {
	name string
	make func(text string) (string, error)
}{
	{"propagation", func(text string) (string, error) { return optText(text, "propagation-pipeline") }},
	{"propagation by user priority", func(text string) (string, error) {
		return optText(text, "add-data-flow-edges,user-priority-propagate{keep-sharding-rules=true},sink-data-flow-edges")
	}},
	{"explanation", func(text string) (string, error) {
		m, err := ir.Parse(text)
		if err != nil {
			return "", err
		}
		e, err := compile.Explain(context.Background(), m, compile.Options{})
		if err != nil {
			return "", err
		}
		data, err := json.Marshal(e.Values)
		return fmt.Sprint(e.Values, e.Overrides(), string(data)), err
	}},
	{"page", func(text string) (string, error) {
		m, err := ir.Parse(text)
		if err != nil {
			return "", err
		}
		e, err := compile.Explain(context.Background(), m, compile.Options{})
		if err != nil {
			return "", err
		}
		p, err := page.New(e, nil)
		if err != nil {
			return "", err
		}
		var html bytes.Buffer
		err = p.Write(&html)
		return html.String(), err
	}},
	{"program", func(text string) (string, error) {
		m, err := ir.Parse(text)
		if err != nil {
			return "", err
		}
		p, err := compile.Compile(context.Background(), m, compile.Options{ShardedUpdate: true})
		if err != nil {
			return "", err
		}
		data, err := json.Marshal(report.New(p))
		return fmt.Sprint(p, p.Module, report.New(p), string(data), string(target.CPU.Text(p)), p.Diagnostics), err
	}},
	{"program for XLA", func(text string) (string, error) {
		m, err := ir.Parse(text)
		if err != nil {
			return "", err
		}
		p, err := compile.Compile(context.Background(), m, compile.Options{Partitioner: compile.XLA})
		if err != nil {
			return "", err
		}
		return fmt.Sprint(p, p.Module, string(target.CPU.Text(p))), nil
	}},
	{suggestions, func(text string) (string, error) {
		m, err := ir.Parse(text)
		if err != nil {
			return "", err
		}
		s, err := suggest.Find(m, suggest.Options{})
		if err != nil {
			return "", err
		}
		asJSON, err := json.Marshal(s)
		return s.String() + string(asJSON), err
	}},
}

func optText(text, passes string) (string, error) {
	var out, diag bytes.Buffer
	err := run([]string{"opt", "-passes=" + passes}, strings.NewReader(text), &out, &diag)
	return out.String() + diag.String(), err
}

// deterministicFiles are programs from JAX: control flow, calls, reductions,
// gradients; and one with groups and priorities.
var deterministicFiles = []string{
	"../../compile/testdata/jax/train_step.mlir",
	"../../compile/testdata/jax/recurrence.mlir",
	"../../compile/testdata/jax/convolution.mlir",
	"testdata/groups.mlir",
}

// TestDeterministic makes all results 10 times in this process (30 times in the long form;
// suggestions 2 and 3 times), and then once in each of 2 other processes (4 in the long form). All
// must be equal.
func TestDeterministic(t *testing.T) {
	times := longtest.Pick(5, 20)
	self, err := os.Executable()
	require.NoError(t, err)
	for _, file := range deterministicFiles {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".mlir"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, s := range stages {
				want, err := s.make(string(text))
				require.NoError(t, err, s.name)
				require.NotEmpty(t, want, s.name)
				n := times
				if s.name == suggestions {
					n = max(2, times/10)
				}
				for i := 1; i < n; i++ {
					got, err := s.make(string(text))
					require.NoError(t, err, s.name)
					require.Equal(t, want, got, s.name)
				}
			}
			want, err := digests(file)
			require.NoError(t, err)
			for range longtest.Pick(1, 3) {
				cmd := exec.Command(self)
				cmd.Env = append(os.Environ(), asDigest+"="+file)
				got, err := cmd.Output()
				require.NoError(t, err)
				require.Equal(t, want, string(got), "another process")
			}
		})
	}
}

// digests returns a line for each stage of the compilation of the module in file: the stage's name
// and the hash of its text.
func digests(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, s := range stages {
		made, err := s.make(string(text))
		if err != nil {
			return "", fmt.Errorf("%s: %w", s.name, err)
		}
		fmt.Fprintf(&b, "%s: %x\n", s.name, sha256.Sum256([]byte(made)))
	}
	return b.String(), nil
}
