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

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int{"1": 1, "1234": 1234, "2kB": 2000, "2KB": 2000, "1.5GB": 1_500_000_000, "16GiB": 16 << 30, "1e3B": 1000} {
		if got, err := texttable.ParseBytes(text); err != nil || got != want {
			t.Errorf("ParseBytes(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "GB", "1XB", "1 GB", "1GBGB", "NaN", "inf", "1e300"} {
		if got, err := texttable.ParseBytes(text); err == nil {
			t.Errorf("ParseBytes(%q) = %d, want an error", text, got)
		}
	}
}
