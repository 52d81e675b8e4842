//go:build !linux

package main

// This file signals the processes of gospmd launch where there are no groups that end with it.

import (
	"os/exec"
	"syscall"
)

func setOwnGroup(*exec.Cmd) {}

func signalGroup(cmd *exec.Cmd, s syscall.Signal) {
	cmd.Process.Signal(s) //nolint:errcheck // it may have ended
}
