package cost

// This file schedules kernels and collectives, to find out when the last one ends.
//
// The order in which they run comes from list scheduling with weights that are the same on each
// machine. With times as weights, a machine with a faster part could be predicted to be slower
// (Graham's anomalies).

import (
	"container/heap"
	"math"
)

// task is a kernel, a collective or a move between memories. needs are the tasks that must end
// before it starts.
type task struct {
	seconds float64
	weight  float64 // used instead of seconds for the order
	needs   []int
	on      resource
}

// resource is a part of the machine that does one task at a time, at the same time as the others.
type resource int

const (
	device   resource = iota // runs kernels
	links                    // to other devices: collectives
	hostLink                 // to the memory of the host
	resources
)

// makespan returns the time that the tasks take. If overlap is true, the resources work at the same
// time; otherwise one task runs after the other.
func makespan(tasks []task, overlap bool) float64 {
	end := 0.0
	if !overlap {
		for _, t := range tasks {
			end += t.seconds
		}
		return end
	}
	ends := make([]float64, len(tasks))
	var free [resources]float64
	for _, i := range order(tasks) {
		t := tasks[i]
		start := free[t.on]
		for _, n := range t.needs {
			start = max(start, ends[n])
		}
		ends[i] = start + t.seconds
		free[t.on] = ends[i]
		end = max(end, ends[i])
	}
	return end
}

// order returns the numbers of the tasks in the order in which they start. If several can start,
// the first one in the list does.
func order(tasks []task) []int {
	s := newSchedule(tasks)
	for s.startAll(); s.isRunning(); s.startAll() {
		s.now = s.nextEnd()
		s.endAll()
	}
	return s.started
}

// schedule is the state of order.
type schedule struct {
	tasks   []task
	users   [][]int // for each task, the tasks that need it
	waits   []int   // for each task, how many of its needs have not ended
	started []int
	now     float64
	workers [resources]worker
}

// worker is the state of a resource.
type worker struct {
	ready earliest
	task  int     // the task that runs
	ends  float64 // when it ends; infinite if none runs
}

func newSchedule(tasks []task) *schedule {
	s := &schedule{tasks: tasks, users: make([][]int, len(tasks)), waits: make([]int, len(tasks))}
	for w := range s.workers {
		s.workers[w].ends = math.Inf(1)
	}
	for i, t := range tasks {
		s.waits[i] = len(t.needs)
		for _, n := range t.needs {
			s.users[n] = append(s.users[n], i)
		}
		if s.waits[i] == 0 {
			heap.Push(&s.workers[t.on].ready, i)
		}
	}
	return s
}

func (s *schedule) isRunning() bool { return !math.IsInf(s.nextEnd(), 1) }

// nextEnd returns when the next task ends; infinite if none runs.
func (s *schedule) nextEnd() float64 {
	end := math.Inf(1)
	for _, w := range s.workers {
		end = min(end, w.ends)
	}
	return end
}

// startAll starts, on each worker that is idle, the first of its tasks that is ready.
func (s *schedule) startAll() {
	for i := range s.workers {
		w := &s.workers[i]
		if math.IsInf(w.ends, 1) && w.ready.Len() > 0 {
			w.task = heap.Pop(&w.ready).(int)
			w.ends = s.now + s.tasks[w.task].weight
			s.started = append(s.started, w.task)
		}
	}
}

// endAll ends the tasks that end at s.now, and makes those ready that waited only for them.
func (s *schedule) endAll() {
	for i := range s.workers {
		w := &s.workers[i]
		if w.ends > s.now {
			continue
		}
		w.ends = math.Inf(1)
		for _, u := range s.users[w.task] {
			if s.waits[u]--; s.waits[u] == 0 {
				heap.Push(&s.workers[s.tasks[u].on].ready, u)
			}
		}
	}
}

// earliest is a heap of tasks by their position.
type earliest []int

func (q earliest) Len() int           { return len(q) }
func (q earliest) Less(i, j int) bool { return q[i] < q[j] }
func (q earliest) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *earliest) Push(x any)        { *q = append(*q, x.(int)) }
func (q *earliest) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}
