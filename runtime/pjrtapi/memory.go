//go:build cgo

package pjrtapi

// This file has the memory kept that XLA frees.

/*
#include <malloc.h>
#include "blocks.h"
#include "pjrt.h"

// keepMemory has malloc keep memory that is freed, up to so many bytes for each of its
// arenas, and take large blocks from it too. It returns 0 where malloc has no such options.
static int keepMemory(int bytes) {
#ifdef __GLIBC__
  return mallopt(M_MMAP_THRESHOLD, bytes) && mallopt(M_TRIM_THRESHOLD, bytes);
#else
  return 0;
#endif
}

// addressIn returns an address in the library whose table this is, one that wrap leaves.
static const void* addressIn(const Api* api) { return api->error_message; }
*/
import "C"

import (
	"os"
	"strings"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// kept is how much freed memory malloc keeps in an arena.
const kept = 1 << 30

// KeepMemory keeps the memory that the plugin, XLA on CPUs, frees: each run of a program
// takes memory for its temporary values and results and gives it back, and glibc would give
// it back to the system, which clears each page of it for the next run. malloc keeps small
// blocks, blocks.c large ones, in each process up to an eighth of the memory of the machine
// or of its control group, whichever is smaller. What the user says of malloc in the
// environment stays.
func (p *Plugin) KeepMemory() { p.keep.Do(p.keepMemory) }

func (p *Plugin) keepMemory() {
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "MALLOC_") || strings.HasPrefix(v, "GLIBC_TUNABLES=") && strings.Contains(v, "malloc") {
			return
		}
	}
	C.keepMemory(kept)
	memory, err := memlimit.FromSystem()
	if err != nil {
		return
	}
	if group, err := memlimit.FromCgroup(); err == nil {
		memory = min(memory, group)
	}
	C.keepBlocks(C.addressIn(p.table), C.size_t(memory/8))
}
