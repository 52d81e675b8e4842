package texttable

// This file reads sizes in the form that people write.

import (
	"fmt"
	"strconv"
	"strings"
)

// sizes maps the units of bytes to their sizes: powers of 1000, and of 1024.
var sizes = map[string]float64{
	"": 1, "B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
	"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
}

// ParseBytes reads a number of bytes, at least 1, such as 1234, 1.5GB, 16GiB. Other texts are an
// error.
func ParseBytes(text string) (int, error) {
	digits := strings.TrimRight(text, "kKMGTiB")
	n, err := strconv.ParseFloat(digits, 64)
	unit, ok := sizes[text[len(digits):]]
	if n *= unit; err != nil || !ok || !(n >= 1 && n < 1<<62) {
		return 0, fmt.Errorf("got size %q, want a number of bytes such as 1234, 1.5GB or 16GiB", text)
	}
	return int(n), nil
}
