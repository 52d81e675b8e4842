//go:build cgo

package pjrtapi

// This file copies data to devices on the calling thread.

/*
#include "pjrt.h"
*/
import "C"

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/go-xla/pjrt"
)

// PutNow makes a buffer of data that the plugin copies before the call returns
// (PJRT_HostBufferSemantics_kImmutableOnlyDuringCall). With go-xla's choice
// (kImmutableUntilTransferCompletes) XLA's client of CPUs copies data of more than 100 KB on
// another thread, and the copy waits for the executions on that thread.
func PutNow(config *pjrt.BufferFromHostConfig) (*pjrt.Buffer, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	C.setCopying(1)
	defer C.setCopying(0)
	return config.Done()
}

// PutShared makes a buffer of the same data for each of several CPU devices: data is copied once,
// before the call returns, and the memory is freed with the last of the buffers
// (PJRT_Client_CreateViewOfDeviceBuffer). They must not be donated, because an execution would
// write into the shared memory. Too little memory is an error.
func PutShared(client *pjrt.Client, devices []int, data []byte, dtype dtypes.DType, dims []int) (buffers []*pjrt.Buffer, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	memory := C.newShared(C.size_t(len(data)))
	if memory == nil {
		return nil, fmt.Errorf("there is no memory for %d bytes", len(data))
	}
	defer C.dropShared(memory)
	copy(unsafe.Slice((*byte)(memory), len(data)), data)
	C.setShared(1)
	defer C.setShared(0)
	all := client.AddressableDevices()
	for _, device := range devices {
		b, err := client.CreateViewOfDeviceBuffer(memory, dtype, dims, all[device])
		if err != nil {
			for _, b := range buffers {
				b.Destroy()
			}
			return nil, err
		}
		buffers = append(buffers, b)
	}
	return buffers, nil
}
