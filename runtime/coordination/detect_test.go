package coordination_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/coordination"
)

// detectCases are environments, as fields NAME=value, and the jobs that Detect must find in them.
var detectCases = []struct {
	name, env string
	want      coordination.Options
	from      string // empty: one process
	err       string
}{
	{name: "nothing set", env: "HOME=/root SLURM_CPUS=3"},

	{name: "own", env: "GOSPMD_JOB_ADDRESS=10.0.0.1:1234 GOSPMD_NUM_PROCESSES=4 GOSPMD_PROCESS_ID=3", want: options("10.0.0.1:1234", 4, 3), from: "GOSPMD_* variables"},
	{name: "own wins over Slurm", env: "GOSPMD_JOB_ADDRESS=10.0.0.1:1234 GOSPMD_NUM_PROCESSES=4 GOSPMD_PROCESS_ID=3 SLURM_JOB_ID=x SLURM_STEP_NODELIST=n SLURM_PROCID=0",
		want: options("10.0.0.1:1234", 4, 3), from: "GOSPMD_* variables"},
	{name: "one of own wins", env: "GOSPMD_JOB_ADDRESS=10.0.0.1:1234 SLURM_JOB_ID=7 SLURM_STEP_NODELIST=n SLURM_PROCID=1 SLURM_NTASKS=2",
		want: options("10.0.0.1:1234", 2, 1), from: "GOSPMD_* variables and Slurm"},
	{name: "own, one process", env: "GOSPMD_NUM_PROCESSES=1 JOB_COMPLETION_INDEX=3 KUBERNETES_SERVICE_HOST=10.0.0.1", want: options("", 1, 0), from: "GOSPMD_* variables"},
	{name: "own, not a number", env: "GOSPMD_NUM_PROCESSES=four", err: `variable GOSPMD_NUM_PROCESSES is "four": want a whole number, 0 or more`},
	{name: "own, none", env: "GOSPMD_NUM_PROCESSES=0", err: `variable GOSPMD_NUM_PROCESSES is "0": want a number of processes, 1 or more`},
	{name: "own, negative", env: "GOSPMD_PROCESS_ID=-1", err: `variable GOSPMD_PROCESS_ID is "-1": want a whole number`},
	{name: "own, no port", env: "GOSPMD_JOB_ADDRESS=host", err: `variable GOSPMD_JOB_ADDRESS is "host": want host:port`},
	{name: "own, port too large", env: "GOSPMD_JOB_ADDRESS=host:70000", err: `variable GOSPMD_JOB_ADDRESS is "host:70000": want host:port`},
	{name: "own, one missing", env: "GOSPMD_JOB_ADDRESS=host:1 GOSPMD_NUM_PROCESSES=2", err: "GOSPMD_* variables: set GOSPMD_PROCESS_ID too"},
	{name: "own, id too large", env: "GOSPMD_JOB_ADDRESS=host:1 GOSPMD_NUM_PROCESSES=2 GOSPMD_PROCESS_ID=2", err: "process id 2 of a job of 2: ids go from 0 to 1"},

	{name: "Keras, all addresses", env: "KERAS_DISTRIBUTION_JOB_ADDRESSES=10.0.0.1:1234,10.0.0.2:2345 KERAS_DISTRIBUTION_NUM_PROCESSES=2 KERAS_DISTRIBUTION_PROCESS_ID=1",
		want: options("10.0.0.1:1234", 2, 1), from: "KERAS_DISTRIBUTION_* variables"},
	{name: "Keras, the coordinator", env: "KERAS_DISTRIBUTION_JOB_ADDRESSES=10.0.0.1:1234 KERAS_DISTRIBUTION_NUM_PROCESSES=3 KERAS_DISTRIBUTION_PROCESS_ID=0",
		want: options("10.0.0.1:1234", 3, 0), from: "KERAS_DISTRIBUTION_* variables"},
	{name: "Keras, counted", env: "KERAS_DISTRIBUTION_JOB_ADDRESSES=a:1,b:2,c:3 KERAS_DISTRIBUTION_PROCESS_ID=2", want: options("a:1", 3, 2), from: "KERAS_DISTRIBUTION_* variables"},
	{name: "Keras, numbers differ", env: "KERAS_DISTRIBUTION_JOB_ADDRESSES=a:1,b:2 KERAS_DISTRIBUTION_NUM_PROCESSES=3",
		err: `variable KERAS_DISTRIBUTION_JOB_ADDRESSES is "a:1,b:2": want one address, or as many as KERAS_DISTRIBUTION_NUM_PROCESSES says, 3`},
	{name: "Keras, malformed", env: "KERAS_DISTRIBUTION_JOB_ADDRESSES=a:1,b", err: `variable KERAS_DISTRIBUTION_JOB_ADDRESSES is "a:1,b": want host:port`},

	{name: "TF_CONFIG", env: `TF_CONFIG={"cluster":{"worker":["h0:12345","h1:23456"]},"task":{"type":"worker","index":1}}`, want: options("h0:12345", 2, 1), from: "TF_CONFIG"},
	{name: "TF_CONFIG, chief", env: `TF_CONFIG={"cluster":{"chief":["c:1"],"worker":["h0:2","h1:3"]},"task":{"type":"chief","index":0}}`, want: options("c:1", 3, 0), from: "TF_CONFIG"},
	{name: "TF_CONFIG, worker of a chief", env: `TF_CONFIG={"cluster":{"worker":["h0:2","h1:3"],"chief":["c:1"]},"task":{"type":"worker","index":"1"}}`, want: options("c:1", 3, 2), from: "TF_CONFIG"},
	{name: "TF_CONFIG, one worker", env: `TF_CONFIG={"cluster":{"worker":["h0:2"]},"task":{"type":"worker","index":0}}`, want: options("h0:2", 1, 0), from: "TF_CONFIG"},
	{name: "TF_CONFIG, no cluster", env: `TF_CONFIG={}`},
	{name: "TF_CONFIG, no JSON", env: `TF_CONFIG=worker0`, err: `variable TF_CONFIG of TF_CONFIG is "worker0": want JSON such as {"cluster"`},
	{name: "TF_CONFIG, index", env: `TF_CONFIG={"cluster":{"worker":["h0:2"]},"task":{"type":"worker","index":1}}`, err: "want a task whose index is 0 to 0, the cluster has 1 of type worker"},
	{name: "TF_CONFIG, evaluator", env: `TF_CONFIG={"cluster":{"worker":["h0:2"]},"task":{"type":"evaluator","index":0}}`, err: `want a task whose type is one of the cluster's, chief or worker, not "evaluator"`},
	{name: "TF_CONFIG, servers", env: `TF_CONFIG={"cluster":{"worker":["h0:2"],"ps":["p:1"]},"task":{"type":"worker","index":0}}`, err: "there are no parameter servers (ps)"},
	{name: "TF_CONFIG, chiefs", env: `TF_CONFIG={"cluster":{"chief":["a:1","b:1"]},"task":{"type":"chief","index":0}}`, err: "want at most one chief"},
	{name: "TF_CONFIG, address", env: `TF_CONFIG={"cluster":{"worker":["h0","h1"]},"task":{"type":"worker","index":0}}`, err: `want addresses host:port, not "h0"`},

	{name: "Slurm", env: "SLURM_JOB_ID=4097 SLURM_STEP_NODELIST=node[001-015],host2 SLURM_NTASKS=16 SLURM_PROCID=9 SLURM_LOCALID=0", want: options("node001:61441", 16, 9), from: "Slurm"},
	{name: "Slurm, a step", env: "SLURM_JOB_ID=1 SLURM_STEP_NODELIST=node7 SLURM_NTASKS=16 SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=1", want: options("node7:61441", 2, 1), from: "Slurm"},
	{name: "Slurm, two names", env: "SLURM_JOB_ID=1 SLURM_STEP_NODELIST=a,b SLURM_NTASKS=2 SLURM_PROCID=1", want: options("a:61441", 2, 1), from: "Slurm"},
	{name: "Slurm, a list", env: "SLURM_JOB_ID=1 SLURM_STEP_NODELIST=node[003,007-015]-ib SLURM_NTASKS=2 SLURM_PROCID=1", want: options("node003-ib:61441", 2, 1), from: "Slurm"},
	{name: "Slurm, two brackets", env: "SLURM_JOB_ID=1 SLURM_STEP_NODELIST=rack[2-3]node[10,12],x SLURM_NTASKS=2 SLURM_PROCID=1", want: options("rack2node10:61441", 2, 1), from: "Slurm"},
	{name: "Slurm, open bracket", env: "SLURM_JOB_ID=1 SLURM_STEP_NODELIST=node[1-2 SLURM_NTASKS=2 SLURM_PROCID=1", err: `variable SLURM_STEP_NODELIST of Slurm is "node[1-2": want a list of nodes`},
	{name: "Slurm, no number", env: "SLURM_JOB_ID=1 SLURM_STEP_NODELIST=node[a] SLURM_NTASKS=2 SLURM_PROCID=1", err: "variable SLURM_STEP_NODELIST of Slurm"},
	{name: "Slurm, job", env: "SLURM_JOB_ID=x SLURM_STEP_NODELIST=node SLURM_NTASKS=2 SLURM_PROCID=1", err: `variable SLURM_JOB_ID of Slurm is "x": want a whole number`},
	{name: "Slurm, tasks", env: "SLURM_JOB_ID=1 SLURM_STEP_NODELIST=node SLURM_PROCID=1", err: `variable SLURM_STEP_NUM_TASKS of Slurm is "": want the number of tasks: start the program with srun`},
	{name: "Slurm, id", env: "SLURM_JOB_ID=1 SLURM_STEP_NODELIST=node SLURM_NTASKS=2 SLURM_PROCID=2", err: "Slurm: process id 2 of a job of 2"},

	{name: "Open MPI", env: "OMPI_MCA_orte_hnp_uri=1531576320.0;tcp://10.96.0.1,10.148.0.1:34911 OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1", want: options("10.96.0.1:62624", 2, 1), from: "Open MPI"},
	{name: "Open MPI, one address", env: "OMPI_MCA_orte_hnp_uri=4096.0;tcp://10.96.0.1:34911 OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1", want: options("10.96.0.1:61441", 2, 1), from: "Open MPI"},
	{name: "Open MPI, IPv6", env: "OMPI_MCA_orte_hnp_uri=1314521088.0;tcp6://[fe80::b9b:ac5d,2620::3000:2]:43370 OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0", want: options("[fe80::b9b:ac5d]:62880", 2, 0), from: "Open MPI"},
	{name: "Open MPI below Slurm", env: "OMPI_MCA_orte_hnp_uri=4096.0;tcp://10.96.0.1:34911 OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1 SLURM_JOB_ID=1 SLURM_STEP_NODELIST=node SLURM_NTASKS=1 SLURM_PROCID=0",
		want: options("10.96.0.1:61441", 2, 1), from: "Open MPI"},
	{name: "Open MPI 5", env: "OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1", err: "Open MPI: set GOSPMD_JOB_ADDRESS (host:port of process 0): this version of Open MPI does not say where mpirun runs; start the program with mpirun -x GOSPMD_JOB_ADDRESS=HOST:PORT"},
	{name: "Open MPI 5 with an address", env: "OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1 GOSPMD_JOB_ADDRESS=h:1", want: options("h:1", 2, 1), from: "GOSPMD_* variables and Open MPI"},
	{name: "Open MPI, malformed", env: "OMPI_MCA_orte_hnp_uri=nonsense OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1", err: `variable OMPI_MCA_orte_hnp_uri of Open MPI is "nonsense": want the address of mpirun`},

	{name: "TPU", env: "TPU_WORKER_ID=1 TPU_WORKER_HOSTNAMES=t0.svc,t1.svc KUBERNETES_SERVICE_HOST=10.0.0.1 JOB_COMPLETION_INDEX=1", want: options("t0.svc:8482", 2, 1), from: "TPU workers"},
	{name: "TPU, addresses", env: "TPU_WORKER_ID=0 TPU_PROCESS_ADDRESSES=t0:8476,t1:8476 TPU_WORKER_HOSTNAMES=x", want: options("t0:8482", 2, 0), from: "TPU workers"},
	{name: "TPU, slices", env: "TPU_WORKER_ID=1 TPU_WORKER_HOSTNAMES=t0,t1 MEGASCALE_NUM_SLICES=3 MEGASCALE_SLICE_ID=2 MEGASCALE_COORDINATOR_ADDRESS=s0:8080", want: options("s0:8482", 6, 5), from: "TPU workers"},
	{name: "TPU, worker", env: "TPU_WORKER_ID=2 TPU_WORKER_HOSTNAMES=t0,t1", err: `variable TPU_WORKER_ID of TPU workers is "2": want a number below 2`},
	{name: "TPU, slice", env: "TPU_WORKER_ID=0 TPU_WORKER_HOSTNAMES=t0,t1 MEGASCALE_SLICE_ID=1", err: `variable MEGASCALE_SLICE_ID of TPU workers is "1": want a number below MEGASCALE_NUM_SLICES, 1`},

	{name: "Kubernetes", env: "KUBERNETES_SERVICE_HOST=10.0.0.1 JOB_COMPLETION_INDEX=2 HOSTNAME=train-2 GOSPMD_NUM_PROCESSES=4", want: options("train-0.pods.default.svc.cluster.local:55527", 4, 2), from: "GOSPMD_* variables and Kubernetes"},
	{name: "JobSet", env: "KUBERNETES_SERVICE_HOST=10.0.0.1 JOB_COMPLETION_INDEX=1 HOSTNAME=set-workers-0-1 GOSPMD_NUM_PROCESSES=2", want: options("set-workers-0-0.set.ns.svc.cluster.local:55527", 2, 1), from: "GOSPMD_* variables and Kubernetes"},
	{name: "Kubernetes, no number", env: "KUBERNETES_SERVICE_HOST=10.0.0.1 JOB_COMPLETION_INDEX=2 HOSTNAME=train-2", err: "Kubernetes: set GOSPMD_NUM_PROCESSES: Kubernetes does not tell a pod how many there are; give the Job's parallelism in the env of its container"},
	{name: "Kubernetes, no Service", env: "KUBERNETES_SERVICE_HOST=10.0.0.1 JOB_COMPLETION_INDEX=0 HOSTNAME=alone-0 GOSPMD_NUM_PROCESSES=2", err: "set GOSPMD_JOB_ADDRESS (host:port of process 0): pods find each other by a headless Service; add one"},
	{name: "Kubernetes, HOSTNAME", env: "KUBERNETES_SERVICE_HOST=10.0.0.1 JOB_COMPLETION_INDEX=0 HOSTNAME=node GOSPMD_NUM_PROCESSES=2", err: `variable HOSTNAME of Kubernetes is "node": want the name of the Job with the index`},
	{name: "Kubernetes, index", env: "KUBERNETES_SERVICE_HOST=10.0.0.1 JOB_COMPLETION_INDEX=x HOSTNAME=train-x", err: `variable JOB_COMPLETION_INDEX of Kubernetes is "x": want a whole number`},
	{name: "Kubernetes, not indexed", env: "KUBERNETES_SERVICE_HOST=10.0.0.1 HOSTNAME=train-abcde"},
}

func options(address string, n, id int) coordination.Options {
	return coordination.Options{Address: address, NumProcesses: n, ProcessID: id}
}

// environ returns the variables in text, which has fields NAME=value, as a map.
func environ(text string) map[string]string {
	env := map[string]string{}
	for _, setting := range strings.Fields(text) {
		name, value, _ := strings.Cut(setting, "=")
		env[name] = value
	}
	return env
}

// The hosts file of a pod, as the kubelet writes it.
const hosts = `# Kubernetes-managed hosts file.
127.0.0.1	localhost
10.244.0.5	train-2.pods.default.svc.cluster.local	train-2
10.244.0.6	set-workers-0-1.set.ns.svc.cluster.local	set-workers-0-1
10.244.0.7	alone-0
`

func TestDetect(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hosts")
	require.NoError(t, os.WriteFile(file, []byte(hosts), 0o644))
	coordination.SetHostsFile(file)
	for _, tc := range detectCases {
		t.Run(tc.name, func(t *testing.T) {
			env := environ(tc.env)
			got, from, ok, err := coordination.Detect(func(name string) string { return env[name] })
			if tc.err != "" {
				require.ErrorContains(t, err, tc.err)
				require.False(t, ok)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.want, got)
			require.Equal(t, tc.from, from)
			require.Equal(t, tc.from != "", ok)
		})
	}
}
