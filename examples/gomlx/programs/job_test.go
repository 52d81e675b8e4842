//go:build cgo

package programs_test

// This file runs a program as the processes of a job.

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/examples/gomlx/programs"
	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
)

func init() { runtimetest.CompileQuickly() }

func TestMain(m *testing.M) { jobtest.Main(m, programs.All[0].Main) }

// TestJob requires that processes that share a mesh have the same results as one process. In the
// long form they also continue from their checkpoints, with the same results.
func TestJob(t *testing.T) {
	p := programs.All[0]
	base := t.TempDir()
	results := func(processes, steps int) string {
		config := fmt.Sprintf("gospmd:mesh=2x2,layouts=%s", filepath.Join("..", p.Name, "layouts.txt"))
		j := jobtest.Start(t, processes, 1, []string{compute.ConfigEnvVar + "=" + config}, func(rank int) []string {
			return []string{fmt.Sprintf("-set=%s;train_steps=%d", p.Small, steps), "-checkpoint", filepath.Join(base, fmt.Sprint(processes, rank))}
		})
		var reports []string
		for _, output := range j.Outputs() {
			_, report, ok := strings.Cut(output, "Results on")
			require.True(t, ok, output)
			reports = append(reports, report)
		}
		for _, r := range reports {
			require.Equal(t, reports[0], r)
		}
		return reports[0]
	}
	for _, steps := range longtest.Pick([]int{3}, []int{3, 6}) {
		require.Equal(t, results(1, steps), results(2, steps), steps)
	}
}
