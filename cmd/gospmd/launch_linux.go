package main

// This file puts the processes of gospmd launch into groups, which end with launch.

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the process one of a group of its own, so that signals reach what
// it starts, and Ctrl-C only those that they are forwarded to. It is killed when
// this process is.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func signalGroup(cmd *exec.Cmd, s syscall.Signal) {
	syscall.Kill(-cmd.Process.Pid, s) //nolint:errcheck // the process may have ended
}
