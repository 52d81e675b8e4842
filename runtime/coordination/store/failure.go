package store

// This file says what happens when etcd cannot go on, for example because the disk is full.

import (
	"fmt"
	"runtime"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// failureHook receives the messages that etcd writes when it ends its process. It ends only the
// goroutine that wrote the message. etcd is then of no more use, and its locks may stay held.
type failureHook struct {
	// A goroutine of etcd calls report with the error that stops etcd, and ends after the call.
	// report must not wait for etcd, because etcd's locks may be held.
	report func(error)
}

// OnWrite reports the message of e with the error among its fields. It does not return.
func (h failureHook) OnWrite(e *zapcore.CheckedEntry, fields []zapcore.Field) {
	err := fmt.Errorf("etcd cannot go on: %s", e.Message)
	for _, f := range fields {
		if cause, ok := f.Interface.(error); ok {
			err = fmt.Errorf("etcd cannot go on: %s: %w", e.Message, cause)
		}
	}
	h.report(err)
	runtime.Goexit()
}

// newLogger returns the logger of an etcd server. It drops all messages, except a message before
// etcd would panic or end its process: report receives it.
func newLogger(report func(error)) *zap.Logger {
	hook := failureHook{report}
	return zap.New(zapcore.NewNopCore(), zap.WithPanicHook(hook), zap.WithFatalHook(hook))
}
