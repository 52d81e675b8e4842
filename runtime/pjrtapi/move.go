//go:build cgo

package pjrtapi

// This file copies buffers from the memory of a device to the memory of its host.

/*
#include "pjrt.h"
*/
import "C"

import (
	"runtime"

	"github.com/gomlx/go-xla/pjrt"
)

// ToHostMemory returns a copy of b in the pinned memory of its host. b is a buffer in the memory of
// a device with Device.PinnedHost. go-xla does not bind PJRT_Buffer_CopyToMemory.
func ToHostMemory(b *pjrt.Buffer) (*pjrt.Buffer, error) {
	device, err := b.Device()
	if err != nil {
		return nil, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	C.setDestination(pinnedHost)
	defer C.setDestination(nil)
	return b.CopyToDevice(device)
}
