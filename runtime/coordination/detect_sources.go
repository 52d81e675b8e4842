package coordination

// This file reads the job from each source of Detect. The addresses are those that
// jax.distributed.initialize would choose.

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
)

func readOwn(e *environment) finding {
	f := finding{endpoints: e.get(VariableCoordinator), number: e.count(VariableNumProcesses), id: e.number(VariableProcessID)}
	if f.endpoints != "" {
		return f
	}
	f.address = e.get(VariableAddress)
	if f.address != "" && checkAddress(f.address) != nil {
		e.fault(VariableAddress, "host:port of process 0")
	}
	return f
}

func readKeras(e *environment) finding {
	f := finding{number: e.count(kerasNumProcesses), id: e.number(kerasProcessID)}
	if e.get(kerasAddresses) == "" {
		return f
	}
	addresses := strings.Split(e.get(kerasAddresses), ",")
	for i, address := range addresses {
		addresses[i] = strings.TrimSpace(address)
		if checkAddress(addresses[i]) != nil {
			e.fault(kerasAddresses, "host:port of process 0, or of all processes with commas between")
		}
	}
	f.address = addresses[0]
	switch {
	case len(addresses) == 1:
	case f.number < 0:
		f.number = len(addresses)
	case f.number != len(addresses):
		e.fault(kerasAddresses, fmt.Sprintf("one address, or as many as %s says, %d", kerasNumProcesses, f.number))
	}
	return f
}

// readTFConfig returns the job that TF_CONFIG, the variable of tf.distribute, describes, or
// nothing. The chief, or worker 0, is process 0. A value that cannot be read is a fault of e.
func readTFConfig(e *environment) finding {
	var config struct {
		Cluster map[string][]string
		Task    struct {
			Type  string
			Index json.Number // some schedulers write it as a string
		}
	}
	if err := json.Unmarshal([]byte(e.get("TF_CONFIG")), &config); err != nil {
		e.fault("TF_CONFIG", `JSON such as {"cluster": {"worker": ["host1:12345", "host2:23456"]}, "task": {"type": "worker", "index": 0}} (`+err.Error()+")")
		return nothing
	}
	chiefs, workers := config.Cluster["chief"], config.Cluster["worker"]
	processes := append(append([]string(nil), chiefs...), workers...)
	if len(config.Cluster) == 0 {
		return nothing // TensorFlow's empty ClusterSpec means one process
	}
	if len(processes) == 0 {
		e.fault("TF_CONFIG", "a cluster with a chief or workers")
		return nothing
	}
	index, err := strconv.Atoi(config.Task.Index.String())
	id := map[string]int{"chief": index, "worker": len(chiefs) + index}
	size := map[string]int{"chief": len(chiefs), "worker": len(workers)}
	switch {
	case len(chiefs) > 1:
		e.fault("TF_CONFIG", "at most one chief")
	case len(config.Cluster["ps"]) > 0:
		e.fault("TF_CONFIG", "a cluster of workers and at most one chief: there are no parameter servers (ps)")
	case size[config.Task.Type] == 0:
		e.fault("TF_CONFIG", fmt.Sprintf("a task whose type is one of the cluster's, chief or worker, not %q", config.Task.Type))
	case err != nil || index < 0 || index >= size[config.Task.Type]:
		e.fault("TF_CONFIG", fmt.Sprintf("a task whose index is 0 to %d, the cluster has %d of type %s", size[config.Task.Type]-1, size[config.Task.Type], config.Task.Type))
	case checkAddress(processes[0]) != nil:
		e.fault("TF_CONFIG", fmt.Sprintf("addresses host:port, not %q", processes[0]))
	}
	return finding{address: processes[0], number: len(processes), id: id[config.Task.Type]}
}

// portOf returns a port for a number of a job: one of the upper 4096 TCP ports.
func portOf(job int) string { return strconv.Itoa(61440 + job%4096) }

// readSlurm reads the variables that srun sets. Process 0 is on the first node of the step, at a
// TCP port that follows from the number of the job. A variable that is missing or malformed is a fault
// of e.
func readSlurm(e *environment) finding {
	f := finding{number: e.count("SLURM_STEP_NUM_TASKS"), id: e.requiredNumber("SLURM_PROCID")}
	if f.number < 0 {
		if f.number = e.count("SLURM_NTASKS"); f.number < 0 {
			e.fault("SLURM_STEP_NUM_TASKS", "the number of tasks: start the program with srun")
		}
	}
	host, ok := firstHost(e.get("SLURM_STEP_NODELIST"))
	if !ok {
		e.fault("SLURM_STEP_NODELIST", "a list of nodes such as node[001-003,7],other")
	}
	f.address = net.JoinHostPort(host, portOf(e.requiredNumber("SLURM_JOB_ID")))
	return f
}

// firstHost returns the first host of Slurm's list of nodes. Of each bracket, which lists numbers
// and ranges, it takes the first number. ok is false for a text that is no list.
func firstHost(list string) (host string, ok bool) {
	for list != "" && list[0] != ',' {
		if list[0] != '[' {
			end := strings.IndexAny(list, "[,")
			if end < 0 {
				end = len(list)
			}
			host, list = host+list[:end], list[end:]
			continue
		}
		inside, rest, closed := strings.Cut(list[1:], "]")
		end := strings.IndexAny(inside, "-,")
		if end < 0 {
			end = len(inside)
		}
		if _, err := strconv.Atoi(inside[:end]); err != nil || !closed {
			return "", false
		}
		host, list = host+inside[:end], rest
	}
	return host, host != "" && !strings.ContainsAny(host, "[] ")
}

// readOpenMPI reads the variables that mpirun sets. It assumes that process 0 runs on the machine
// of mpirun, at a TCP port that follows from the number of the job. If no variable names that machine,
// the finding has no address. A malformed variable is a fault of e.
func readOpenMPI(e *environment) finding {
	// 1531576320.0;tcp://10.96.0.1,10.148.0.1:34911, or tcp6://[fe80::1,fe80::2]:34911
	const uri = "OMPI_MCA_orte_hnp_uri"
	f := finding{number: e.requiredNumber("OMPI_COMM_WORLD_SIZE"), id: e.requiredNumber("OMPI_COMM_WORLD_RANK"),
		missing: "this version of Open MPI does not say where mpirun runs; start the program with mpirun -x " + VariableAddress + "=HOST:PORT"}
	if e.get(uri) == "" {
		return f
	}
	head, contact, _ := strings.Cut(e.get(uri), ";")
	number, _, _ := strings.Cut(head, ".")
	job, err := strconv.Atoi(number)
	_, hosts, found := strings.Cut(contact, "://")
	var host string
	if inside, v6 := strings.CutPrefix(hosts, "["); v6 {
		host = inside[:max(0, strings.IndexAny(inside, ",]"))]
	} else {
		host = hosts[:max(0, strings.IndexAny(hosts, ",:"))]
	}
	if err != nil || job < 0 || !found || host == "" {
		e.fault(uri, "the address of mpirun, such as 1531576320.0;tcp://10.96.0.1:34911")
	}
	// job numbers are multiples of 4096
	f.address = net.JoinHostPort(host, portOf(max(0, job)/4096))
	return f
}

// readTPU reads the variables that GKE sets in the pods of TPU slices. There may be several slices.
// The address is port 8482 of the first worker, or of the host in MEGASCALE_COORDINATOR_ADDRESS.
func readTPU(e *environment) finding {
	list := "TPU_PROCESS_ADDRESSES"
	if e.get(list) == "" {
		list = "TPU_WORKER_HOSTNAMES"
	}
	workers := strings.Split(e.get(list), ",")
	slices, slice := max(1, e.count("MEGASCALE_NUM_SLICES")), max(0, e.number("MEGASCALE_SLICE_ID"))
	worker := e.requiredNumber("TPU_WORKER_ID")
	first := workers[0]
	if coordinator := e.get("MEGASCALE_COORDINATOR_ADDRESS"); coordinator != "" {
		first = coordinator
	}
	host, _, _ := strings.Cut(first, ":")
	switch {
	case host == "":
		e.fault(list, "names of workers with commas between")
	case worker >= len(workers):
		e.fault("TPU_WORKER_ID", fmt.Sprintf("a number below %d, the number of workers in %s", len(workers), list))
	case slice >= slices:
		e.fault("MEGASCALE_SLICE_ID", fmt.Sprintf("a number below MEGASCALE_NUM_SLICES, %d", slices))
	}
	return finding{address: net.JoinHostPort(host, "8482"), number: slices * len(workers), id: slice*len(workers) + worker}
}

// hostsFile is the file in which the kubelet writes the full name of a pod.
var hostsFile = "/etc/hosts"

// readKubernetes reads the variables of pods of indexed Jobs and of JobSets: their index, and their
// host name JOB-INDEX in the domain of a headless Service. The address is port 55527 of the pod
// with index 0. The number of pods is not known here.
func readKubernetes(e *environment) finding {
	const index = "JOB_COMPLETION_INDEX"
	f := finding{number: -1, id: e.requiredNumber(index),
		missing: "Kubernetes does not tell a pod how many there are; give the Job's parallelism in the env of its container"}
	pod := e.get("HOSTNAME")
	job, named := strings.CutSuffix(pod, "-"+e.get(index))
	if !named {
		e.fault("HOSTNAME", "the name of the Job with the index, which pods of indexed Jobs have: let the manifest not set it")
		return f
	}
	domain, found := domainOf(pod)
	if !found {
		f.missing = "pods find each other by a headless Service; add one, and its name as subdomain to the template of the pods (examples/multiworker/kubernetes.yaml)"
		return f
	}
	f.address = net.JoinHostPort(job+"-0."+domain, "55527")
	return f
}

// domainOf returns the domain in the full name of the pod with this name, from /etc/hosts: the part
// behind the name. ok is false if the file does not have it.
func domainOf(pod string) (domain string, ok bool) {
	text, err := os.ReadFile(hostsFile)
	if err != nil {
		return "", false
	}
	for _, name := range strings.Fields(string(text)) {
		if domain, ok := strings.CutPrefix(name, pod+"."); ok {
			return domain, true
		}
	}
	return "", false
}
