// Package memtest measures in tests how much memory reading a file takes.
//
// It is not for benchmarks: it only checks that one run stays below a bound.
//
// Order of use: Within with the size of the file and the function that reads it.
package memtest

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"
)

// Bound is the memory that reading a file of size bytes may take: 64 MB and eight times the file.
func Bound(size int) int64 { return 64e6 + 8*int64(size) }

// Within fails the test if read takes more memory than a file of size bytes may. If the sum of all
// allocations is larger, read is called again, to measure the peak. On systems that do not report
// the peak, the sum must be within the bound.
func Within(t testing.TB, size int, read func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	read()
	runtime.ReadMemStats(&after)
	took := int64(after.TotalAlloc - before.TotalAlloc)
	if took <= Bound(size) {
		return
	}
	if peak, err := Peak(read); err == nil {
		took = peak
	}
	if took > Bound(size) {
		t.Errorf("reading %d bytes takes %.1f MB, want at most %.1f MB", size, float64(took)/1e6, float64(Bound(size))/1e6)
	}
}

// Peak returns by how many bytes the resident memory of the process grows while f runs, at its
// peak, whatever GOGC is. It returns an error on systems that do not report that (Linux does).
func Peak(f func()) (int64, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil { // resets the peak
		return 0, err
	}
	before, err := status("VmRSS:")
	if err != nil {
		return 0, err
	}
	f()
	after, err := status("VmHWM:")
	return after - before, err
}

// status returns the number in the line of the process' status in /proc that begins with name, such
// as VmRSS:, in bytes. A missing line is an error.
func status(name string) (int64, error) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(line, []byte(name)); ok {
			n, err := strconv.ParseInt(string(bytes.Fields(rest)[0]), 10, 64)
			return n << 10, err
		}
	}
	return 0, fmt.Errorf("no line %s", name)
}
