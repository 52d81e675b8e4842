package needs

// This file defines the form of the message.

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// Skip skips the test because it needs what. The fix is a command or a setting. The rest says
// more about this machine, as fmt.Sprint does.
func Skip(t testing.TB, what, fix string, why ...any) {
	t.Helper()
	text := "needs " + what + ": " + fix
	if len(why) > 0 {
		text += " (" + strings.TrimSpace(fmt.Sprint(why...)) + ")"
	}
	t.Skip(strings.ReplaceAll(text, "\n", " "))
}

// message is the form, as go test prints it behind the file and the line.
var message = regexp.MustCompile(`^\s*[\w.-]+\.go:\d+: needs ([^:]+): (.*)\n?$`)

// Parse returns what the message of a skipped test says: what the test needs, and the fix.
func Parse(line string) (what, fix string, ok bool) {
	m := message.FindStringSubmatch(line)
	if m == nil {
		return "", "", false
	}
	fix, _, _ = strings.Cut(m[2], " (")
	return m[1], fix, true
}
