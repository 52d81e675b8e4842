// Package plugin finds a PJRT plugin, the shared library that holds XLA, for CPUs, NVIDIA
// GPUs or TPUs, and installs it: the CPU's when there is none, the others' when it is
// asked to, for they are large.
//
// It loads nothing and needs no cgo: package runtime does the loading. It installs no
// drivers, which belong to a system.
//
// Order of use: Find, which calls the rest, or Locate, which installs nothing; Install; for NVIDIA
// GPUs CUDAData, what compiling needs beside the plugin, and Libraries, what running does.
//
//	file             holds
//	find.go          the places where a plugin may be, in the order in which they win
//	cuda.go          ptxas, libdevice and NVIDIA's libraries: where they are
//	host.go          Devices: the accelerators that the system shows
//	usable.go        what is checked before a plugin is loaded: its owner, its mode, that it is whole
//	bundle.go        Install: the wheels of a bundle, into the cache; which bundles are there
//	install.go       Installer: how a wheel's files get into the cache, and the lock
//	release.go       Release and Bundle, and the list of those that can be installed
//	release_cuda.go  … for NVIDIA GPUs
//	stamp.go         checksums, and the stamp of a file that was checked
//	source.go        where a wheel comes from: the package index, pip
//	status_linux.go  the time of the last change of a file
//	status_other.go  … on systems without
package plugin
