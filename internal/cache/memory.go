package cache

// This file defines Memory, which keeps entries in the memory of the process.

import (
	"slices"
	"sync"
)

// Memory is a Cache in the memory of the process. Above its limit it drops the entries used least
// recently.
type Memory struct {
	limit int64

	mu      sync.Mutex
	bytes   int64 // of all
	entries map[Key][]byte
	used    []Key // the least recently used one is first
}

// NewMemory returns an empty Memory. limit is the largest size of all entries together, in bytes.
func NewMemory(limit int64) *Memory { return &Memory{limit: limit, entries: map[Key][]byte{}} }

// Get returns the content of an entry, which must not be changed, and ErrNone if there is none. It
// counts as a use of the entry.
func (m *Memory) Get(k Key) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	content, ok := m.entries[k]
	if !ok {
		return nil, ErrNone
	}
	m.used = append(slices.DeleteFunc(m.used, func(u Key) bool { return u == k }), k)
	return content, nil
}

// Put stores content, which the caller must not change afterwards, unless it alone is larger than
// the limit. If all entries together are larger, it removes the least recently used ones.
func (m *Memory) Put(k Key, content []byte) error {
	if int64(len(content)) > m.limit {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.remove(k)
	m.entries[k] = content
	m.used = append(m.used, k)
	m.bytes += int64(len(content))
	for m.bytes > m.limit {
		m.remove(m.used[0])
	}
	return nil
}

// Remove removes an entry.
func (m *Memory) Remove(k Key) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.remove(k)
}

func (m *Memory) remove(k Key) {
	m.bytes -= int64(len(m.entries[k]))
	delete(m.entries, k)
	m.used = slices.DeleteFunc(m.used, func(u Key) bool { return u == k })
}
