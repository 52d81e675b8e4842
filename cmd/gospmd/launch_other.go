//go:build !linux

package main

// This file signals the processes of gospmd launch on systems without process groups that end with
// launch.

import (
	"os/exec"
	"syscall"
)

func ownGroup(*exec.Cmd) {}

func signalGroup(cmd *exec.Cmd, s syscall.Signal) {
	cmd.Process.Signal(s) //nolint:errcheck // the process may have ended
}
