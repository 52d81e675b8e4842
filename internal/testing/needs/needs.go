package needs

// This file defines the form of the messages of skipped tests.

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// Skip skips the test because it needs what. The fix is a command or a setting. The other arguments
// are details about this machine, formatted by fmt.Sprint.
func Skip(t testing.TB, what, fix string, why ...any) {
	t.Helper()
	text := "needs " + what + ": " + fix
	if len(why) > 0 {
		text += " (" + strings.TrimSpace(fmt.Sprint(why...)) + ")"
	}
	t.Skip(strings.ReplaceAll(text, "\n", " "))
}

// message matches the message in the output of go test, after the file and the line.
var message = regexp.MustCompile(`^\s*[\w.-]+\.go:\d+: needs ([^:]+): (.*)\n?$`)

// Parse reads the message of a skipped test. It returns what the test needs, and the fix. ok is
// false for a line without such a message.
func Parse(line string) (what, fix string, ok bool) {
	m := message.FindStringSubmatch(line)
	if m == nil {
		return "", "", false
	}
	fix, _, _ = strings.Cut(m[2], " (")
	return m[1], fix, true
}
