package main

// This file implements gospmd doctor, which reports what this machine has to run and compile
// programs, and installs what is missing.

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// doctorMode is something that doctor does instead of a report, such as an installation. It defines
// its flags, and returns a function to call after they are parsed. That function does it and
// returns true, if the flags ask for it.
type doctorMode func(*flags) func(ctx context.Context, out, diag io.Writer) (done bool, err error)

// doctorModes are the modes of gospmd doctor, in the order in which they are tried.
var doctorModes = []doctorMode{installMode, measureMode}

// runDoctor is the command doctor: it reports on the platforms to out, or does what a mode's flag
// asks for instead. After a report it returns an error if the platform of programs, or that of
// -platform, has no devices. Arguments and unknown platforms are errors.
func runDoctor(args []string, _ io.Reader, out, diag io.Writer) error {
	fs := newFlags("doctor", "Says what there is to run and compile programs with: plugins and their versions, devices, what\nis missing and the command that mends it. It exits with 1 if the platform of programs\n($"+runtime.PlatformVar+", or -platform) has no devices.", diag,
		"-install tpu", "-platform cuda -json", "-measure machine.json   # what -machine takes")
	fs.arguments, fs.files = "", ""
	platform := fs.String("platform", "", "report on this platform alone, and exit with 1 if it has no devices: "+strings.Join(plugin.Platforms, ", "))
	asJSON := fs.Bool("json", false, "print JSON")
	var modes []func(context.Context, io.Writer, io.Writer) (bool, error)
	for _, mode := range doctorModes {
		modes = append(modes, mode(fs))
	}
	files, err := fs.parseFiles(args)
	if err != nil {
		return err
	}
	if len(files) > 0 {
		return fmt.Errorf("doctor: got %q, want flags only: gospmd doctor -h lists them", files)
	}
	if *platform != "" && !slices.Contains(plugin.Platforms, *platform) {
		return fmt.Errorf("doctor: -platform %q is not known: want one of %s", *platform, strings.Join(plugin.Platforms, ", "))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	for _, mode := range modes {
		if done, err := mode(ctx, out, diag); done || err != nil {
			return err
		}
	}
	return printDiagnosis(ctx, *platform, out, *asJSON)
}

// printDiagnosis prints the findings on a platform, or on all platforms for "", to out, as text or
// JSON. It returns an error if that platform, for "" the platform of programs, has no devices.
func printDiagnosis(ctx context.Context, platform string, out io.Writer, asJSON bool) error {
	names, chosen := []string{platform}, platform
	if platform == "" {
		o, err := runtime.Options{}.Complete()
		if err != nil {
			return fmt.Errorf("doctor: %w", err)
		}
		names, chosen = plugin.Platforms, o.Platform
	}
	d := diagnose(ctx, names, chosen)
	if err := printParts(out, nil, []part{{"doctor", d}}, asJSON); err != nil {
		return err
	}
	return d.verdict()
}

// installMode defines the flag -install. The function that it returns installs the named bundles,
// and tells so on its first writer; on its second it shows the progress. It returns false if the
// flag is not given, and doctor then reports.
func installMode(fs *flags) func(context.Context, io.Writer, io.Writer) (bool, error) {
	var about []string
	for _, b := range plugin.Bundles() {
		about = append(about, fmt.Sprintf("%s (%s; %s to download)", b.Name, b.What, texttable.Bytes(int(b.Bytes()))))
	}
	names := fs.String("install", "", "install, instead of reporting, one or several of "+strings.Join(about, ", ")+"; cuda brings "+plugin.CUDALibraries+" along where there is a GPU")
	return func(ctx context.Context, out, diag io.Writer) (bool, error) {
		if *names == "" {
			return false, nil
		}
		list := namesToInstall(*names, plugin.Devices(hardware.CUDA) != nil)
		for _, name := range list {
			if _, err := plugin.BundleNamed(name); err != nil { // all names are checked before anything is installed
				return true, fmt.Errorf("doctor: -install: %w", err)
			}
		}
		for _, name := range list {
			path, err := plugin.Install(ctx, name, diag)
			if err != nil {
				return true, fmt.Errorf("doctor: -install: %w", err)
			}
			fmt.Fprintf(out, "%s is installed: %s\n", name, path)
		}
		return true, nil
	}
}

// namesToInstall returns the names of the bundles to install: those in list, which commas separate,
// and CUDA's libraries beside the plugin for CUDA if there is a gpu.
func namesToInstall(list string, gpu bool) (names []string) {
	for _, name := range strings.Split(list, ",") {
		names = append(names, name)
		if name == hardware.CUDA && gpu {
			names = append(names, plugin.CUDALibraries)
		}
	}
	return names
}
