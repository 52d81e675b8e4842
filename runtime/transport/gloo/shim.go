//go:build cgo

package gloo

// This file loads the compiled shim and calls its functions.

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static struct {
	char* (*device)(const char*, void**);
	void (*free_device)(void*);
	char* (*group)(void*, int, int, void**, const char**, size_t*);
	void (*free_group)(void*);
	char* (*connect)(void*, const char*);
	void (*abort)(void*);
	void (*hang_up)(void*);
	char* (*watch)(void*);
	int (*lost)(void*, int);
	char* (*all_reduce)(void*, uint64_t, void*, size_t, int, int);
	char* (*all_gather)(void*, uint64_t, void*, size_t);
	char* (*all_to_all)(void*, uint64_t, void*, void*, size_t);
	char* (*exchange)(void*, uint64_t, int, const int*, void* const*, const uint64_t*, int, const int*, void* const*, const uint64_t*, int*, uint64_t*);
} shim;

// load loads the library in a file, and looks its functions up. It returns an error text, or NULL.
static const char* load(const char* file) {
	void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!library) return dlerror();
#define FIND(name) if (!(*(void**)&shim.name = dlsym(library, "gospmd_gloo_" #name))) return dlerror();
	FIND(device) FIND(free_device) FIND(group) FIND(free_group) FIND(connect) FIND(abort) FIND(hang_up) FIND(watch) FIND(lost) FIND(all_reduce) FIND(all_gather) FIND(all_to_all) FIND(exchange)
	return NULL;
}

static char* open_device(const char* host, void** out) { return shim.device(host, out); }
static void free_device(void* device) { shim.free_device(device); }
static char* make_group(void* device, int rank, int size, void** out, const char** addresses, size_t* bytes) {
	return shim.group(device, rank, size, out, addresses, bytes);
}
static void free_group(void* group) { shim.free_group(group); }
static char* connect_group(void* group, const char* addresses) { return shim.connect(group, addresses); }
static void abort_group(void* group) { shim.abort(group); }
static void hang_up(void* group) { shim.hang_up(group); }
static char* watch_group(void* group) { return shim.watch(group); }
static int lost_rank(void* group, int after) { return shim.lost(group, after); }
static char* all_reduce(void* group, uint64_t tag, void* data, size_t n, int dtype, int reduction) {
	return shim.all_reduce(group, tag, data, n, dtype, reduction);
}
static char* all_gather(void* group, uint64_t tag, void* data, size_t bytes) { return shim.all_gather(group, tag, data, bytes); }
static char* all_to_all(void* group, uint64_t tag, void* out, void* in, size_t bytes) { return shim.all_to_all(group, tag, out, in, bytes); }
static char* exchange(void* group, uint64_t tag, int sends, const int* to, void* const* out, const uint64_t* out_bytes,
		int recvs, const int* from, void* const* in, const uint64_t* in_bytes, int* mismatch, uint64_t* sent) {
	return shim.exchange(group, tag, sends, to, out, out_bytes, recvs, from, in, in_bytes, mismatch, sent);
}
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"unsafe"

	"github.com/gospmd/gospmd/runtime/transport"
)

// loaded says whether the shim is loaded. It stays loaded until the process ends.
var loaded struct {
	sync.Mutex
	done bool
}

// loadShim loads the shim, once in a process. If the file cannot be loaded, because it was made for
// another version of Gloo, loadShim removes it and compiles it again.
func loadShim(ctx context.Context, l *slog.Logger) error {
	loaded.Lock()
	defer loaded.Unlock()
	if loaded.done {
		return nil
	}
	for first := true; ; first = false {
		file, err := library(ctx, l)
		if err != nil {
			return err
		}
		name := C.CString(file)
		message := C.load(name)
		C.free(unsafe.Pointer(name))
		if message == nil {
			loaded.done = true
			return nil
		}
		if err := fmt.Errorf("%s cannot be loaded: %s: %s", file, C.GoString(message), install); !first {
			return err
		}
		if err := os.Remove(file); err != nil {
			return err
		}
	}
}

// failure returns the error with the shim's message, which it frees. It is nil if message is nil.
func failure(message *C.char) error {
	if message == nil {
		return nil
	}
	defer C.free(unsafe.Pointer(message))
	return errors.New(C.GoString(message))
}

// device is Gloo's device: the network address that connections use.
type device struct{ handle unsafe.Pointer }

func newDevice(host string) (device, error) {
	name := C.CString(host)
	defer C.free(unsafe.Pointer(name))
	var d device
	err := failure(C.open_device(name, &d.handle))
	return d, err
}

func (d device) free() { C.free_device(d.handle) }

// connections are those of a group of processes, which have ranks of their own in it. All methods
// except free may be called at the same time. free must be the last call.
type connections struct{ handle unsafe.Pointer }

// newConnections returns connections, which are not connected yet, of a group of size members, in
// which this process has the given rank. It also returns the addresses of this process for the
// other members: one for each, one behind the other.
func newConnections(d device, rank, size int) (connections, []byte, error) {
	var c connections
	var addresses *C.char
	var bytes C.size_t
	if err := failure(C.make_group(d.handle, C.int(rank), C.int(size), &c.handle, &addresses, &bytes)); err != nil {
		return c, nil, err
	}
	return c, C.GoBytes(unsafe.Pointer(addresses), C.int(bytes)), nil
}

func (c connections) free() { C.free_group(c.handle) }

// connect connects the processes of the group. addresses has the addresses of all, by rank, one
// behind the other.
func (c connections) connect(addresses []byte) error {
	return failure(C.connect_group(c.handle, (*C.char)(unsafe.Pointer(unsafe.SliceData(addresses)))))
}

// abort ends all operations, and also watch.
func (c connections) abort() { C.abort_group(c.handle) }

// hangUp closes the connections. The other processes see that. Call abort first.
func (c connections) hangUp() { C.hang_up(c.handle) }

// watch waits until a connection of the group is lost, and returns nil then. After abort it returns
// an error.
func (c connections) watch() error { return failure(C.watch_group(c.handle)) }

// lostRanks returns the members of the group whose connections have broken, by their ranks in the
// group, ascending.
func (c connections) lostRanks() []int {
	var out []int
	for rank := C.lost_rank(c.handle, -1); rank >= 0; rank = C.lost_rank(c.handle, rank) {
		out = append(out, int(rank))
	}
	return out
}

// allReduce combines n elements of data over the ranks, in place. dtype and reduction are indices
// of the tables in shim/shim.cc.
func (c connections) allReduce(tag uint64, data []byte, n, dtype, reduction int) error {
	return failure(C.all_reduce(c.handle, C.uint64_t(tag), unsafe.Pointer(unsafe.SliceData(data)), C.size_t(n), C.int(dtype), C.int(reduction)))
}

// allGather fills data with one part for each process, in the order of their ranks. Before the
// call, data must contain this process' part.
func (c connections) allGather(tag uint64, data []byte) error {
	return failure(C.all_gather(c.handle, C.uint64_t(tag), unsafe.Pointer(unsafe.SliceData(data)), C.size_t(len(data))))
}

// allToAll sends part k of out to the process of rank k, and receives part k of in from it. All
// parts are equally long.
func (c connections) allToAll(tag uint64, out, in []byte) error {
	return failure(C.all_to_all(c.handle, C.uint64_t(tag), unsafe.Pointer(unsafe.SliceData(out)), unsafe.Pointer(unsafe.SliceData(in)), C.size_t(len(out))))
}

// lengthError is the error of a received message that has another length than expected. message is
// its index, and sent the length in bytes that was sent.
type lengthError struct {
	message int
	sent    uint64
}

func (e *lengthError) Error() string {
	return fmt.Sprintf("message %d has %d bytes", e.message, e.sent)
}

// exchange sends the messages sends, and receives recvs into their memory, in one operation of the
// group. Ranks are those in the group. It returns a *lengthError if a message has another length
// than expected.
func (c connections) exchange(tag uint64, sends, recvs []transport.Message) error {
	var pinner runtime.Pinner
	defer pinner.Unpin()
	out, in := pin(&pinner, sends), pin(&pinner, recvs)
	mismatch, sent := C.int(-1), C.uint64_t(0)
	err := failure(C.exchange(c.handle, C.uint64_t(tag),
		C.int(len(sends)), unsafe.SliceData(out.ranks), unsafe.SliceData(out.data), unsafe.SliceData(out.bytes),
		C.int(len(recvs)), unsafe.SliceData(in.ranks), unsafe.SliceData(in.data), unsafe.SliceData(in.bytes), &mismatch, &sent))
	if mismatch >= 0 {
		return &lengthError{int(mismatch), uint64(sent)}
	}
	return err
}

// pinned holds messages in the form that C reads, in memory that Go does not move.
type pinned struct {
	ranks []C.int
	data  []unsafe.Pointer
	bytes []C.uint64_t
}

func pin(p *runtime.Pinner, messages []transport.Message) pinned {
	n := len(messages)
	out := pinned{make([]C.int, n), make([]unsafe.Pointer, n), make([]C.uint64_t, n)}
	for i, m := range messages {
		out.ranks[i], out.bytes[i] = C.int(m.Rank), C.uint64_t(len(m.Data))
		if len(m.Data) > 0 {
			data := unsafe.SliceData(m.Data)
			pinGo(p, data)
			out.data[i] = unsafe.Pointer(data)
		}
	}
	return out
}

// pinGo pins data if it is Go's memory. For an engine's memory, which C has allocated, the Pinner
// panics: that memory need not be pinned.
func pinGo(p *runtime.Pinner, data *byte) {
	defer func() { _ = recover() }()
	p.Pin(data)
}
