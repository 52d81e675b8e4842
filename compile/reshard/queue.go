package reshard

// This file holds the priority queue of the searches.

// entry is an element of a queue: a node, reached from another node.
type entry struct {
	total cost  // the queue is ordered by it
	paid  cost  // cost from the source to the node
	order int32 // number of the entry; of entries with the same total the first comes first
	node  int32
	prev  int32 // index into the visited nodes
}

func (e *entry) comesBefore(o *entry) bool {
	if e.total != o.total {
		return e.total.less(o.total)
	}
	return e.order < o.order
}

// queue is a binary heap. Package container/heap would allocate each entry.
type queue []entry

// roomy is a capacity that is enough for most searches.
const roomy = 64

// push adds e.
func (q *queue) push(e entry) {
	*q = append(*q, e)
	h, i := *q, len(*q)-1
	for i > 0 {
		parent := (i - 1) / 2
		if !e.comesBefore(&h[parent]) {
			break
		}
		h[i], i = h[parent], parent
	}
	h[i] = e
}

// pop removes the first entry of the queue, the cheapest one, and returns it. The queue must not be
// empty.
func (q *queue) pop() entry {
	h, last := *q, len(*q)-1
	first, e := h[0], h[last]
	h = h[:last]
	*q = h
	if last == 0 {
		return first
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && h[child+1].comesBefore(&h[child]) {
			child++
		}
		if !h[child].comesBefore(&e) {
			break
		}
		h[i], i = h[child], child
	}
	h[i] = e
	return first
}
