package distribute

// This file defines MultiWorkerMirroredStrategy.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// ClusterEnv is the environment variable that describes a cluster.
const ClusterEnv = "TF_CONFIG"

// cluster is what TF_CONFIG holds.
type cluster struct {
	Cluster map[string][]string `json:"cluster"` // addresses by type of task
	Task    *struct {
		Type  string `json:"type"`
		Index int    `json:"index"`
	} `json:"task"`
}

// MultiWorkerMirroredStrategy is MirroredStrategy over the processes that
// TF_CONFIG lists: tf.distribute.MultiWorkerMirroredStrategy. Without that
// variable, or in a cluster of one worker, it is MirroredStrategy on the
// process' devices. Several processes are an error: gospmd does not run them
// yet.
func MultiWorkerMirroredStrategy() (*Strategy, error) {
	if err := checkCluster(os.Getenv(ClusterEnv)); err != nil {
		return nil, fmt.Errorf("distribute: MultiWorkerMirroredStrategy: %w", err)
	}
	return mirrored("MultiWorkerMirroredStrategy", nil)
}

const example = `{"cluster": {"worker": ["localhost:12345"]}, "task": {"type": "worker", "index": 0}}`

// checkCluster says whether the text describes a cluster of this process alone.
func checkCluster(text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var c cluster
	d := json.NewDecoder(bytes.NewBufferString(text))
	if err := d.Decode(&c); err != nil {
		return fmt.Errorf("%s is %q: %w: want JSON such as %s", ClusterEnv, text, err, example)
	}
	if len(c.Cluster) == 0 {
		return nil // TensorFlow's empty ClusterSpec: a process alone
	}
	kinds := []string{"chief", "worker"} // those that train
	var tasks []string
	for _, kind := range kinds {
		for i := range c.Cluster[kind] {
			tasks = append(tasks, fmt.Sprintf("%s:%d", kind, i))
		}
	}
	switch {
	case len(tasks) == 0:
		return fmt.Errorf("%s names no chief and no worker, want at least one, as in %s", ClusterEnv, example)
	case c.Task == nil:
		return fmt.Errorf("%s does not say which task this process is, want \"task\", as in %s", ClusterEnv, example)
	case !slices.Contains(tasks, fmt.Sprintf("%s:%d", c.Task.Type, c.Task.Index)):
		return fmt.Errorf("%s says that this process is %s:%d, the cluster has %s", ClusterEnv, c.Task.Type, c.Task.Index, strings.Join(tasks, ", "))
	case len(tasks) > 1:
		return fmt.Errorf("%s lists %d processes (%s), want one: training over several processes is not there yet. "+
			"Use MirroredStrategy on the devices of one machine, or list this process only", ClusterEnv, len(tasks), strings.Join(tasks, ", "))
	}
	return nil
}
