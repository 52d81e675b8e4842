//go:build cgo

package pjrtapi

// This file tells the C library to keep the memory that XLA frees.

/*
#include <malloc.h>

// keepMemory has malloc keep memory that is freed, up to so many bytes for each of its
// arenas, and take large blocks from it too. It returns 0 where malloc has no such options.
static int keepMemory(int bytes) {
#ifdef __GLIBC__
  return mallopt(M_MMAP_THRESHOLD, bytes) && mallopt(M_TRIM_THRESHOLD, bytes);
#else
  return 0;
#endif
}
*/
import "C"

import (
	"os"
	"strings"
)

// kept is how much freed memory malloc keeps in an arena.
const kept = 1 << 30

// KeepMemory makes this process keep the memory that XLA on CPUs frees: each run of a
// program takes memory for its temporary values and results and gives it back, and glibc
// would give it back to the system, which clears each page of it for the next run. What
// the user says of malloc in the environment stays.
func KeepMemory() {
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "MALLOC_") || strings.HasPrefix(v, "GLIBC_TUNABLES=") && strings.Contains(v, "malloc") {
			return
		}
	}
	C.keepMemory(kept)
}
