package main_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/runtime/coordination"
)

// manifest has the fields of a Kubernetes object that the test reads.
type manifest struct {
	Kind     string
	Metadata struct{ Name string }
	Spec     struct {
		ClusterIP                string `yaml:"clusterIP"`
		PublishNotReadyAddresses bool   `yaml:"publishNotReadyAddresses"`
		Selector                 any
		PodSelector              struct {
			MatchLabels map[string]string `yaml:"matchLabels"`
		} `yaml:"podSelector"`
		CompletionMode           string `yaml:"completionMode"`
		Completions, Parallelism int
		Template                 struct {
			Spec struct {
				Subdomain     string
				RestartPolicy string `yaml:"restartPolicy"`
				Containers    []struct {
					Command []string
					Env     []struct{ Name, Value string }
				}
				Volumes []struct {
					PersistentVolumeClaim struct {
						ClaimName string `yaml:"claimName"`
					} `yaml:"persistentVolumeClaim"`
				}
			}
		}
	}
}

// TestKubernetes requires that the objects of the Kubernetes manifest fit together: names, labels,
// addresses, volumes and the number of processes; and that the pods have all variables that Detect
// reads.
func TestKubernetes(t *testing.T) {
	text, err := os.ReadFile("kubernetes.yaml")
	require.NoError(t, err)
	objects := map[string]manifest{}
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var m manifest
		if err := decoder.Decode(&m); err == io.EOF {
			break
		} else {
			require.NoError(t, err)
		}
		objects[m.Kind+" "+m.Metadata.Name] = m
	}
	require.Len(t, objects, 6)
	job, service := objects["Job multiworker"], objects["Service multiworker"]
	labels := map[string]string{"job-name": job.Metadata.Name} // the Job sets these labels in its pods
	require.Equal(t, map[string]any{"job-name": job.Metadata.Name}, service.Spec.Selector)
	require.Equal(t, labels, objects["NetworkPolicy multiworker"].Spec.PodSelector.MatchLabels)
	require.Equal(t, "None", service.Spec.ClusterIP)
	require.True(t, service.Spec.PublishNotReadyAddresses)
	require.Equal(t, "Indexed", job.Spec.CompletionMode)
	require.Equal(t, job.Spec.Completions, job.Spec.Parallelism)
	pod := job.Spec.Template.Spec
	require.Equal(t, service.Metadata.Name, pod.Subdomain)
	require.Equal(t, "OnFailure", pod.RestartPolicy)
	require.Equal(t, objects["PersistentVolumeClaim multiworker"].Metadata.Name, pod.Volumes[0].PersistentVolumeClaim.ClaimName)

	env := map[string]string{"KUBERNETES_SERVICE_HOST": "10.0.0.1", "JOB_COMPLETION_INDEX": "3", "HOSTNAME": job.Metadata.Name + "-3",
		// the address in the pod's hosts file
		coordination.VariableAddress: job.Metadata.Name + "-0." + pod.Subdomain + ":55527"}
	for _, v := range pod.Containers[0].Env {
		env[v.Name] = v.Value
	}
	coordinator := objects["Deployment multiworker-coordinator"].Spec.Template.Spec.Containers[0].Command
	require.Equal(t, []string{"/gospmd", "coordinator", "-address", "0.0.0.0:55527", "-n", strconv.Itoa(job.Spec.Parallelism)}, coordinator)
	require.Contains(t, objects, "Service multiworker-coordinator")
	o, _, ok, err := coordination.Detect(func(name string) string { return env[name] })
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, coordination.Options{Endpoints: "multiworker-coordinator:55527", NumProcesses: job.Spec.Parallelism, ProcessID: 3}, o)
}

// TestSlurm requires that the script is valid, and calls srun with the program and its flags, up to
// three times if srun fails. Then the script fails.
func TestSlurm(t *testing.T) {
	bash := needs.Tool(t, "bash", "bash")
	out, err := exec.Command(bash, "-n", "multiworker.sbatch").CombinedOutput()
	require.NoError(t, err, "%s", out)

	for _, tc := range []struct {
		name, fails string // how many times srun fails
		calls, code int
	}{{"succeeds", "0", 1, 0}, {"fails once", "1", 2, 0}, {"fails", "9", 3, 1}} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			srun := "#!/bin/sh\necho \"$GOSPMD_CPU_DEVICES $*\" >> calls\n[ $(wc -l < calls) -gt " + tc.fails + " ]\n"
			require.NoError(t, os.WriteFile(filepath.Join(dir, "srun"), []byte(srun), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "gospmd"), []byte("#!/bin/sh\nexec sleep 60\n"), 0o755))
			script, err := filepath.Abs("multiworker.sbatch")
			require.NoError(t, err)
			cmd := exec.Command(bash, script, "-epochs", "3")
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "SLURM_SUBMIT_DIR=/shared")
			out, err := cmd.CombinedOutput()
			require.Equal(t, tc.code, cmd.ProcessState.ExitCode(), "%v: %s", err, out)
			calls, err := os.ReadFile(filepath.Join(dir, "calls"))
			require.NoError(t, err)
			one := "2 --kill-on-bad-exit=1 --error=multiworker-%j-rank%t.err ./multiworker -backup /shared/backup-multiworker -epochs 3\n"
			require.Equal(t, string(bytes.Repeat([]byte(one), tc.calls)), string(calls))
		})
	}
}

// oneMachine is a fake srun that starts two tasks on this machine.
const oneMachine = `#!/bin/sh
while case $1 in --*) true;; *) false;; esac; do shift; done
SLURM_STEP_NODELIST=localhost SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=1 "$@" & SLURM_STEP_NODELIST=localhost SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0 "$@" && wait $!
`

// TestSlurmTrains runs the Slurm script. It must start one program for each task, which finds the
// job in the variables that Slurm sets, and trains. A script stands for srun.
func TestSlurmTrains(t *testing.T) {
	bash := needs.Tool(t, "bash", "bash")
	dir := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(self, filepath.Join(dir, "multiworker")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "srun"), []byte(oneMachine), 0o755))
	built, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", filepath.Join(dir, "gospmd"), "github.com/gospmd/gospmd/cmd/gospmd").CombinedOutput()
	require.NoError(t, err, "%s", built)
	script, err := filepath.Abs("multiworker.sbatch")
	require.NoError(t, err)
	cmd := exec.Command(bash, script, "-epochs", "1")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), jobtest.ProgramEnv+"=1", "PATH="+dir+":"+os.Getenv("PATH"), "SLURM_SUBMIT_DIR="+dir, "SLURM_JOB_ID="+strconv.Itoa(os.Getpid()),
		"GOSPMD_ENGINE=go", "GOSPMD_TRANSPORT=tcp")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "2 processes, MultiWorkerMirroredStrategy on batch=4")
	require.Contains(t, string(out), "loss: ")
}
