//go:build cgo

package pjrtkv

// This file implements the callbacks of a PJRT client, which put values into a store that all
// processes share, and get them.

// #include <stdint.h>
// #include <stdlib.h>
import "C"

import (
	"context"
	"errors"
	"fmt"
	"runtime/cgo"
	"time"
	"unsafe"
)

// client is the argument of the callbacks of one PJRT client.
type client struct{ store Store }

// prefix is the prefix of the client's keys in the store, which others use too.
const prefix = "pjrt/"

// The codes of errors that callbacks return: absl's status codes.
const (
	codeOK               = 0
	codeDeadlineExceeded = 4
	codeNotFound         = 5
	codeUnavailable      = 14
)

func clientOf(handle C.uintptr_t) *client { return cgo.Handle(handle).Value().(*client) }

// gospmdGet returns the value of a key, which it waits for, or the code and the text of an error.
// timeout is in milliseconds; a negative one means not to wait.
//
//export gospmdGet
func gospmdGet(handle C.uintptr_t, key *C.char, size C.size_t, timeout C.int) (code C.int, text *C.char, length C.size_t) {
	value, code, err := clientOf(handle).get(C.GoStringN(key, C.int(size)), time.Duration(timeout)*time.Millisecond)
	if err != nil {
		value = []byte(err.Error())
	}
	return code, (*C.char)(C.CBytes(value)), C.size_t(len(value))
}

func (c *client) get(key string, timeout time.Duration) (value []byte, code C.int, err error) {
	if timeout < 0 {
		value, found, err := c.store.Lookup(context.Background(), prefix+key)
		switch {
		case err != nil:
			return nil, codeUnavailable, err
		case !found:
			return nil, codeNotFound, fmt.Errorf("no process has set %q", key)
		}
		return value, codeOK, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	value, err = c.store.Get(ctx, prefix+key)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, codeDeadlineExceeded, fmt.Errorf("no process has set %q in %v: %w", key, timeout, err)
	case err != nil:
		return nil, codeUnavailable, err
	}
	return value, codeOK, nil
}

// gospmdPut sets a key, or returns the code and the text of an error.
//
//export gospmdPut
func gospmdPut(handle C.uintptr_t, key *C.char, size C.size_t, value *C.char, length C.size_t) (code C.int, text *C.char, textLength C.size_t) {
	c := clientOf(handle)
	name := C.GoStringN(key, C.int(size))
	if err := c.store.Set(context.Background(), prefix+name, C.GoBytes(unsafe.Pointer(value), C.int(length))); err != nil {
		message := err.Error()
		return codeUnavailable, C.CString(message), C.size_t(len(message))
	}
	return codeOK, nil, 0
}
