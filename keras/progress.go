package keras

// This file shows progress as Keras does:
//
//	Epoch 1/3
//	8/8 ━━━━━━━━━━━━━━━━━━━━ 0s 3ms/step - loss: 1.0217

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/term"
)

const (
	barWidth    = 20
	barInterval = 50 * time.Millisecond // Keras' 0.05 s between updates
)

// progressBar shows the progress of an epoch. On a terminal the bar moves;
// elsewhere only its final state is written.
type progressBar struct {
	w       io.Writer
	verbose int
	dynamic bool
	columns func() int // of the terminal, 0 if unknown
	target  int        // number of steps, -1 if unknown

	now        func() time.Time
	start      time.Time
	first      int       // the first step of update: above 1 if the epoch was resumed
	afterFirst time.Time // time of that update
	shown      time.Time
	seen       int // the last step of update
	width      int // of the text on the screen
}

func newProgressBar(w io.Writer, verbose, target int) *progressBar {
	f, isFile := w.(*os.File)
	b := &progressBar{w: w, verbose: verbose, target: target, now: time.Now, columns: func() int { return 0 }}
	if b.dynamic = isFile && term.IsTerminal(int(f.Fd())); b.dynamic {
		b.columns = func() int {
			n, _, err := term.GetSize(int(f.Fd()))
			if err != nil {
				return 0
			}
			return n
		}
	}
	b.start = b.now()
	return b
}

// update takes down the progress after the given number of steps has been queued. It shows it only
// for verbose 1 on a terminal, at most once in barInterval, and fetches the logs only then.
func (b *progressBar) update(ctx context.Context, step int, logs *BatchLogs) error {
	b.seen = step
	t := b.now()
	if b.first == 0 {
		b.first, b.afterFirst = step, t
	}
	if b.verbose != 1 || !b.dynamic || t.Sub(b.shown) < barInterval {
		return nil
	}
	values, err := logs.Get(ctx)
	if err != nil {
		return err
	}
	b.shown = t
	b.draw(t, values, false)
	return nil
}

// finish shows the final state with the logs, as verbose says, and ends the line. All steps then
// count as done; if their number was unknown, it becomes that of the steps done.
func (b *progressBar) finish(logs Logs) {
	if b.target < 0 {
		b.target = b.seen
	}
	b.seen = b.target
	t := b.now()
	switch b.verbose {
	case 1:
		b.draw(t, logs, true)
	case 2:
		fmt.Fprintf(b.w, "%s - %.0fs -%s%s\n", b.count(), t.Sub(b.start).Seconds(), stepTime(b.perStep(t)), logsText(logs))
	}
}

func (b *progressBar) draw(t time.Time, logs Logs, final bool) {
	bar := b.count()
	if b.target > 0 {
		done := barWidth * b.seen / b.target
		bar += " " + b.color("32", strings.Repeat("━", done)) + b.color("37", strings.Repeat("━", barWidth-done))
	}
	perStep := b.perStep(t)
	remaining := t.Sub(b.start)
	if b.target > 0 && !final {
		remaining = perStep * time.Duration(b.target-b.seen)
	}
	text := fmt.Sprintf("%s %s%s%s", bar, clock(remaining, final), stepTime(perStep), logsText(logs))
	if n := b.columns(); n > 0 && !final {
		text = cut(text, n-1) // a carriage return goes to the start of the last line only
	}
	width := utf8.RuneCountInString(plain(text))
	if b.dynamic {
		fmt.Fprintf(b.w, "\r%s%s", text, strings.Repeat(" ", max(0, b.width-width)))
	} else {
		fmt.Fprint(b.w, text)
	}
	b.width = width
	if final {
		fmt.Fprintln(b.w)
	}
}

func (b *progressBar) count() string {
	if b.target < 0 {
		return fmt.Sprintf("%7d/Unknown", b.seen)
	}
	digits := len(fmt.Sprint(b.target))
	return fmt.Sprintf("%*d/%d", digits, b.seen, b.target)
}

// perStep estimates the time of a step at time t. It leaves out the first update, which includes
// compilation, unless there is no other. It is 0 before any step.
func (b *progressBar) perStep(t time.Time) time.Duration {
	switch {
	case b.seen == 0:
		return 0
	case b.first == 0:
		return t.Sub(b.start) / time.Duration(b.seen)
	case b.seen == b.first:
		return t.Sub(b.start)
	default:
		return t.Sub(b.afterFirst) / time.Duration(b.seen-b.first)
	}
}

func (b *progressBar) color(code, text string) string {
	if !b.dynamic || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// cut returns s, a text with color codes, cut to at most n columns: a longer one ends in an
// ellipsis and without colors.
func cut(s string, n int) string {
	if utf8.RuneCountInString(plain(s)) <= n {
		return s
	}
	var out strings.Builder
	shown := 0
	for s != "" && shown < n-1 {
		if code, after, found := strings.Cut(s, "m"); found && strings.HasPrefix(s, "\x1b[") {
			out.WriteString(code + "m")
			s = after
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		out.WriteRune(r)
		s = s[size:]
		shown++
	}
	if out.WriteString("…"); strings.Contains(out.String(), "\x1b[") {
		out.WriteString("\x1b[0m")
	}
	return out.String()
}

// plain returns s without the escape sequences that set colors.
func plain(s string) string {
	var out strings.Builder
	for s != "" {
		before, after, found := strings.Cut(s, "\x1b[")
		out.WriteString(before)
		if !found {
			break
		}
		_, s, _ = strings.Cut(after, "m")
	}
	return out.String()
}

// clock formats a time: elapsed time in seconds, such as 3s, and remaining time also as h:mm:ss or
// m:ss if it is long.
func clock(d time.Duration, elapsed bool) string {
	s := int(d.Seconds())
	switch {
	case elapsed:
		return fmt.Sprintf("%.0fs", d.Seconds())
	case s > 3600:
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s%3600/60, s%60)
	case s > 60:
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	default:
		return fmt.Sprintf("%ds", s)
	}
}

func stepTime(d time.Duration) string {
	switch {
	case d >= time.Second || d == 0:
		return fmt.Sprintf(" %.0fs/step", d.Seconds())
	case d >= time.Millisecond:
		return fmt.Sprintf(" %.0fms/step", d.Seconds()*1e3)
	default:
		return fmt.Sprintf(" %.0fus/step", d.Seconds()*1e6)
	}
}

func logsText(logs Logs) string {
	var s strings.Builder
	for _, l := range logs {
		if math.Abs(l.Value) > 1e-3 {
			fmt.Fprintf(&s, " - %s: %.4f", l.Name, l.Value)
		} else {
			fmt.Fprintf(&s, " - %s: %.4e", l.Name, l.Value)
		}
	}
	return s.String()
}

// progress is the callback that shows Fit's progress.
type progress struct {
	BaseCallback
	w       io.Writer
	verbose int
	epochs  int
	steps   int
	bar     *progressBar
}

func newProgress(c runConfig, steps int) *progress {
	return &progress{w: c.output, verbose: c.verbose, epochs: c.epochs, steps: steps}
}

// ObservesBatches returns false: the bar needs one update per execution only.
func (p *progress) ObservesBatches() bool { return false }

// OnEpochBegin prints the number of the epoch, if there are several, and starts a bar.
func (p *progress) OnEpochBegin(_ context.Context, epoch int) error {
	if p.epochs > 1 {
		fmt.Fprintf(p.w, "Epoch %d/%d\n", epoch+1, p.epochs)
	}
	p.bar = newProgressBar(p.w, p.verbose, p.steps)
	return nil
}

// OnTrainBatchEnd moves the bar to the number of batches done, and shows their logs.
func (p *progress) OnTrainBatchEnd(ctx context.Context, batch int, logs *BatchLogs) error {
	return p.bar.update(ctx, batch+1, logs)
}

// OnEpochEnd completes the bar with the logs of the epoch, and keeps the number of its steps.
func (p *progress) OnEpochEnd(_ context.Context, _ int, logs Logs) error {
	p.bar.finish(logs)
	p.steps = p.bar.target
	return nil
}
