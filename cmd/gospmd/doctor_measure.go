package main

// This file implements gospmd doctor -measure, which writes a machine file.

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/measure"
)

// measureMode defines the flags -measure and -devices. The function that it returns measures the
// devices and writes the machine file; the first writer gets the measurements, the second messages.
// It returns false if -measure is not given, and doctor then reports.
func measureMode(fs *flags) func(context.Context, io.Writer, io.Writer) (bool, error) {
	file := fs.String("measure", "", "measure what the devices compute, read and send, instead of reporting, and write it into this machine `file`, which -machine takes; tried on CPUs and one GPU, untested on TPUs")
	devices := fs.Int("devices", 0, "the number of devices that -measure takes: of virtual CPU devices, where 0 means 8, or of GPUs, where it means all")
	return func(ctx context.Context, out, diag io.Writer) (bool, error) {
		if *file == "" {
			return false, nil
		}
		if _, err := os.Stat(filepath.Dir(*file)); err != nil {
			return true, fmt.Errorf("doctor: -measure: %w", err) // checked before the measurement, which takes time
		}
		o, err := runtime.Options{Platform: fs.Lookup("platform").Value.String(), Devices: *devices, Logger: plainlog.New(diag)}.Complete()
		if err != nil {
			return true, fmt.Errorf("doctor: -measure: %w", err)
		}
		if o.Platform == hardware.CPU && *devices == 0 {
			o.Devices = 8
		}
		c, err := runtime.Open(ctx, o)
		if err != nil {
			return true, fmt.Errorf("doctor: -measure: %w", err)
		}
		defer c.Close()
		r, err := measure.Client(ctx, c, measure.Options{Progress: func(m measure.Measurement) { fmt.Fprintln(out, m) }})
		if err != nil {
			return true, fmt.Errorf("doctor: -measure: %w", err)
		}
		if err := r.Machine.Write(*file); err != nil {
			return true, fmt.Errorf("doctor: -measure: %w", err)
		}
		l := r.Machine.Links[0]
		_, err = fmt.Fprintf(out, "%s: %.3g µs and %.3g GB per second along each axis; written to %s\n", r.Machine.Name, l.Latency*1e6, l.Bandwidth/1e9, *file)
		return true, err
	}
}
