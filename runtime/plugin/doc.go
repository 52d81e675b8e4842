// Package plugin finds and installs PJRT plugins, the shared libraries that hold XLA for CPUs,
// NVIDIA GPUs or TPUs. It installs the CPU's plugin if it is missing, and the others on request,
// because they are large.
//
// It loads nothing and needs no cgo: package runtime loads plugins. It installs no drivers, which
// are part of the system.
//
// Order of use: Find, which may call Install, or Locate, which installs nothing; Install. For
// NVIDIA GPUs also CUDAData, for compiling, and Libraries, for running.
//
//	file             holds
//	find.go          the places where a plugin may be, in order of precedence
//	cuda.go          ptxas, libdevice and NVIDIA's libraries: where they are
//	host.go          Devices: the accelerators that the system shows
//	usable.go        the checks before a plugin is loaded: its owner, its mode, its size
//	bundle.go        Install: installs the wheels of a bundle into the cache
//	install.go       Installer: how a wheel's files get into the cache, and the lock
//	release.go       Release and Bundle, and the list of those that can be installed
//	release_cuda.go  … for NVIDIA GPUs
//	stamp.go         checksums, and the stamp of a file that was checked
//	source.go        the sources of wheels: the package index, pip
//	status_linux.go  the time of the last change of a file
//	status_other.go  … on systems without
package plugin
