package runtime

// This file defines job: the processes that run one program, which of their
// devices are whose, and how the loss of one ends the work of the others.

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"
	"time"

	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/coordination"
	"github.com/gospmd/gospmd/runtime/transport"
)

// job is this process' view of the processes that run one program. A nil *job is
// one process.
type job struct {
	service *coordination.Service
	rank    int
	size    int
	lease   time.Duration
	engine  string              // EnginePJRT or EngineGo, once it is open
	host    transport.Transport // moves host data, fingerprints and records of runs
	device  transport.Transport // moves the data of collectives

	link Link // the link between processes that programs are compiled for

	// The following fields are set by announce.
	process []int // the rank of the process of each device of the job
	first   int   // the global number of this process' first device

	failed chan struct{} // closed when a process is lost

	mu       sync.Mutex
	err      error          // the reason why failed was closed
	counters map[string]int // how many tags of each kind and ranks tag has returned
}

// engineInfo is what a process tells the others of its engine.
type engineInfo struct {
	Engine  string // EnginePJRT or EngineGo
	Version string // the version of the plugin
	Flags   string // the user's flags for XLA
	Kinds   []string
}

// difference returns the first difference of o, the engine of another process, from i, and the fix,
// as one line. It is empty if the engines are the same.
func (i engineInfo) difference(o engineInfo) string {
	for _, row := range []struct{ what, a, b, fix string }{
		{"runs on the engine", i.Engine, o.Engine, "set " + engineVar + " to the same in all processes"},
		{"has the plugin version", i.Version, o.Version, "install the same plugin everywhere"},
		{"has the " + xlaFlagsVar, i.Flags, o.Flags, "set the same in all processes"},
	} {
		if row.a != row.b {
			return fmt.Sprintf("%s %q, not %q: %s", row.what, row.b, row.a, row.fix)
		}
	}
	return ""
}

// announce exchanges the devices of the processes, and returns the devices of all. It sets j.first
// and j.process. It is an error if engines, versions or flags differ: then results could differ
// between processes.
func (j *job) announce(ctx context.Context, e Engine) ([]Device, error) {
	own := engineInfo{Engine: j.engine}
	if a, ok := e.(*asyncEngine); ok {
		own.Version = a.version
	}
	if j.engine == EnginePJRT {
		own.Flags = userFlags()
	}
	for _, d := range e.Devices() {
		own.Kinds = append(own.Kinds, d.Kind)
	}
	infos, err := share(j.all(), "devices", own, func(mine []byte) ([][]byte, error) { return j.service.Exchange(ctx, "devices", mine) })
	if err != nil {
		return nil, err
	}
	var devices []Device
	for rank, info := range infos {
		if d := infos[0].difference(info); d != "" {
			return nil, fmt.Errorf("process %d, compared with process 0, %s", rank, d)
		}
		if rank == j.rank {
			j.first = len(devices)
		}
		for _, kind := range info.Kinds {
			devices = append(devices, Device{ID: len(devices), Kind: kind, Process: rank})
			j.process = append(j.process, rank)
		}
	}
	return devices, nil
}

// placement says which process each device of m is in. It is nil if the job has one process.
func (j *job) placement(m *mesh.DeviceMesh) *program.Placement {
	if j == nil {
		return nil
	}
	out := &program.Placement{Process: make([]int, m.Size()), Self: j.rank}
	for pos, id := range m.Devices() {
		out.Process[pos] = j.rank
		if !isDefaultDevice(m) {
			out.Process[pos] = j.process[id]
		}
	}
	return out
}

// isDefaultDevice reports whether m stands for one unnamed device: the first one of each process.
func isDefaultDevice(m *mesh.DeviceMesh) bool { return len(m.Axes()) == 0 && !m.IsMaximal() }

// tag returns the tag of the next operation of that kind among these ranks. All of these ranks must
// do operations of one kind in the same order.
func (j *job) tag(kind string, ranks []int) uint64 {
	key := fmt.Sprint(kind, ranks)
	j.mu.Lock()
	n := j.counters[key]
	j.counters[key]++
	j.mu.Unlock()
	return tagOf(key, n)
}

// tagOf returns a tag made of parts, which identify an operation.
func tagOf(parts ...any) uint64 {
	h := fnv.New64a()
	fmt.Fprintln(h, parts...)
	return h.Sum64()
}

// all returns the ranks of the job.
func (j *job) all() []int {
	out := make([]int, j.size)
	for i := range out {
		out[i] = i
	}
	return out
}

// share sends own to the ranks as JSON, by exchange, and returns the values of all ranks, in their
// order. what names the value in errors.
func share[T any](ranks []int, what string, own T, exchange func(mine []byte) ([][]byte, error)) ([]T, error) {
	mine, err := json.Marshal(own)
	if err != nil {
		return nil, fmt.Errorf("BUG: %w", err)
	}
	values, err := exchange(mine)
	if err != nil {
		return nil, err
	}
	out := make([]T, len(values))
	for i, v := range values {
		if err := json.Unmarshal(v, &out[i]); err != nil {
			return nil, fmt.Errorf("process %d sent %q as its %s: %w: run the same version everywhere", ranks[i], v, what, err)
		}
	}
	return out, nil
}

// maxGathered is the largest value, in bytes, that gather accepts from another process. A wrong
// length must not exhaust the memory.
const maxGathered = 1 << 30

// gather returns the values of all ranks, in their order. All ranks must call it. A value of more
// than maxGathered bytes is an error. kind names the operation, for the tags and in errors.
func (j *job) gather(ctx context.Context, kind string, ranks []int, value []byte) ([][]byte, error) {
	if len(value) > maxGathered {
		return nil, fmt.Errorf("%s: the value of process %d has %d bytes, want at most %d: send arrays through collectives", kind, j.rank, len(value), maxGathered)
	}
	lengths := make([][]byte, len(ranks))
	for i := range lengths {
		lengths[i] = make([]byte, 8)
	}
	mine := slices.Index(ranks, j.rank)
	binary.LittleEndian.PutUint64(lengths[mine], uint64(len(value)))
	if err := j.exchangeWithAll(ctx, kind+" lengths", ranks, lengths); err != nil {
		return nil, err
	}
	values := make([][]byte, len(ranks))
	for i := range values {
		length := binary.LittleEndian.Uint64(lengths[i])
		if length > maxGathered {
			return nil, fmt.Errorf("%s: process %d says that its value has %d bytes, want at most %d", kind, ranks[i], length, maxGathered)
		}
		values[i] = make([]byte, length)
	}
	values[mine] = value
	return values, j.exchangeWithAll(ctx, kind, ranks, values)
}

// exchangeWithAll sends this process' element of values to the other ranks, and receives their
// elements, whose lengths are set before. kind names the operation for the tags.
func (j *job) exchangeWithAll(ctx context.Context, kind string, ranks []int, values [][]byte) error {
	return j.host.Exchange(ctx, j.tag(kind, ranks), j.messagesToOthers(ranks, values, true), j.messagesToOthers(ranks, values, false))
}

// messagesToOthers returns a message for each other rank: if send is true, this process' element of
// values to be sent, and otherwise the memory for the element of that rank, to be received.
func (j *job) messagesToOthers(ranks []int, values [][]byte, send bool) []transport.Message {
	mine := slices.Index(ranks, j.rank)
	var out []transport.Message
	for i, rank := range ranks {
		data := values[i]
		if send {
			data = values[mine]
		}
		if i != mine {
			out = append(out, transport.Message{Rank: rank, Data: data})
		}
	}
	return out
}

// watch ends the work of this process when another one is lost.
func (j *job) watch() {
	<-j.service.Failed()
	j.fail(j.service.Err())
}

// fail ends the job on this process: all calls that wait for other processes return err. Only the
// first call counts.
func (j *job) fail(err error) {
	j.mu.Lock()
	known := j.err != nil
	if !known {
		j.err = err
		close(j.failed)
	}
	j.mu.Unlock()
	if known {
		return
	}
	for _, t := range []transport.Transport{j.host, j.device} {
		if t != nil {
			_ = t.Close(err)
		}
	}
}

// failure returns why the job has failed, nil while it has not.
func (j *job) failure() error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

// end ends the job because of an error of this process, and tells the other processes.
func (j *job) end(err error) {
	if j.service.Err() == nil {
		j.service.Fail(err)
	}
	j.fail(err)
}

// leave ends the job in order, and closes its transports. It waits until all processes have called
// it, so that the last data has arrived. The coordinator is the last process to leave. It returns
// an error if the job has failed, or processes do not come within leaveLimit. A nil job has nothing
// to leave.
func (j *job) leave() error {
	if j == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), leaveLimit)
	defer cancel()
	late := j.service.Barrier(ctx, "close")
	err := j.service.Leave(ctx)
	if err == nil {
		err = late
	}
	j.fail(errors.New("the client is closed"))
	return err
}

// leaveLimit is how long Close waits for other processes to close their clients.
const leaveLimit = 5 * time.Minute
