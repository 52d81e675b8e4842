package cache_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/cache"
)

func TestMemory(t *testing.T) {
	m := cache.NewMemory(100)
	content := func(i, n int) []byte { return bytes.Repeat([]byte{byte(i)}, n) }
	has := func(want ...int) {
		t.Helper()
		var got []int
		for i := range 10 {
			if c, err := m.Get(key(i)); err == nil {
				require.Equal(t, byte(i), c[0])
				got = append(got, i)
			} else {
				require.ErrorIs(t, err, cache.ErrNone)
			}
		}
		require.Equal(t, want, got)
	}
	for i := range 3 {
		require.NoError(t, m.Put(key(i), content(i, 40)))
	}
	has(1, 2)
	require.NoError(t, m.Put(key(3), content(3, 101)))
	has(1, 2)
	_, err := m.Get(key(1))
	require.NoError(t, err)
	require.NoError(t, m.Put(key(4), content(4, 40)))
	has(1, 4) // 2 was the least recently used
	require.NoError(t, m.Put(key(4), content(4, 60)))
	has(1, 4)
	m.Remove(key(1))
	m.Remove(key(7))
	has(4)
	require.NoError(t, m.Put(key(5), content(5, 40)))
	has(4, 5)
}

func TestMemoryConcurrent(t *testing.T) {
	m := cache.NewMemory(1000)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				k := (i*7 + g) % 40
				if c, err := m.Get(key(k)); err == nil && !bytes.Equal(c, bytes.Repeat([]byte{byte(k)}, 50)) {
					t.Errorf("entry %d is %v", k, c)
				}
				_ = m.Put(key(k), bytes.Repeat([]byte{byte(k)}, 50))
			}
		})
	}
	wg.Wait()
}
