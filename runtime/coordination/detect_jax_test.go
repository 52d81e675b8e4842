package coordination_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/peer"
)

// jaxProgram prints the job that JAX detects in each environment on its standard input: [address,
// number, id], or null.
const jaxProgram = `
import json, os, sys
from jax._src.clusters.ompi_cluster import OmpiCluster
from jax._src.clusters.slurm_cluster import SlurmCluster
out = []
for env in json.load(sys.stdin):
    os.environ = env
    for c in (OmpiCluster, SlurmCluster):
        if c.is_env_present():
            out.append([c.get_coordinator_address(None, None), c.get_process_count(), c.get_process_id()])
            break
    else:
        out.append(None)
json.dump(out, sys.stdout)
`

// jaxDiffers has the cases in which JAX is known to detect another job, or none, with the reason.
var jaxDiffers = map[string]string{
	"own wins over Slurm": "has no such variables",
	"one of own wins":     "has no such variables",
	"Slurm, a step":       "takes the number of the allocation",
	"Slurm, a list":       "drops what follows a bracket",
	"Open MPI, IPv6":      "puts no brackets around the address",
	"Slurm, two brackets": "drops what follows a bracket",
}

// Detect and JAX find the same jobs in the environments of Slurm and Open MPI among detectCases,
// except in those of jaxDiffers.
func TestDetectLikeJAX(t *testing.T) {
	python := peer.Python(t, "jax")
	var envs []map[string]string
	var want [][]any
	for _, tc := range detectCases {
		if tc.err != "" || jaxDiffers[tc.name] != "" || !strings.Contains(tc.env, "SLURM_PROCID") && !strings.Contains(tc.env, "OMPI_MCA") {
			continue
		}
		env := environ(tc.env)
		env["SLURM_LOCALID"] = "0" // JAX asks for it
		envs = append(envs, env)
		want = append(want, []any{tc.want.Address, float64(tc.want.NumProcesses), float64(tc.want.ProcessID)})
	}
	require.Greater(t, len(envs), 3)
	input, err := json.Marshal(envs)
	require.NoError(t, err)
	cmd := exec.Command(python, "-c", jaxProgram)
	cmd.Stdin = strings.NewReader(string(input))
	output, err := cmd.Output()
	require.NoError(t, err)
	var got [][]any
	require.NoError(t, json.Unmarshal(output, &got))
	require.Equal(t, want, got)
}
