package texttable_test

import (
	"testing"

	"github.com/gospmd/gospmd/internal/texttable"
)

func TestBytes(t *testing.T) {
	for n, want := range map[int]string{
		0: "0 bytes", 9999: "9,999 bytes", 10_000: "10.0 kB", 999_949: "999.9 kB", 999_950: "1.0 MB", 1_234_567: "1.2 MB", 3_400_000_000: "3.4 GB", 1 << 62: "4611.7 PB",
	} {
		if got := texttable.Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}
