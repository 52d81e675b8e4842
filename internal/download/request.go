package download

// This file implements one download, which ends within a time limit, whatever the server does.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// Request describes a download, with its limits of time and size. Zero values are the defaults.
type Request struct {
	URL    string
	Client *http.Client  // http.DefaultClient
	Answer time.Duration // limit until the server answers; default 30 seconds
	Idle   time.Duration // limit without a byte; default 30 seconds
	Total  time.Duration // limit of the whole download; default 1 hour
	Bytes  int64         // largest size, even if the server does not tell the size; default 4 GiB
}

func (r Request) withDefaults() Request {
	if r.Client == nil {
		r.Client = http.DefaultClient
	}
	for _, d := range []struct {
		limit *time.Duration
		value time.Duration
	}{{&r.Answer, 30 * time.Second}, {&r.Idle, 30 * time.Second}, {&r.Total, time.Hour}} {
		if *d.limit == 0 {
			*d.limit = d.value
		}
	}
	if r.Bytes == 0 {
		r.Bytes = 4 << 30
	}
	return r
}

// errTimeout is the error of a server that takes too long.
var errTimeout = errors.New("it took too long")

// Fetch downloads the contents of the URL to the writer, within the limits of r, and reports
// progress to show. An error of the server, more bytes than r.Bytes, and a download that takes
// longer than r.Total or stands still, are errors that name the URL.
func (r Request) Fetch(ctx context.Context, to io.Writer, show *Progress) error {
	r = r.withDefaults()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	total := time.AfterFunc(r.Total, func() {
		cancel(fmt.Errorf("it is not complete after %s: %w", r.Total, errTimeout))
	})
	defer total.Stop()
	err := r.fetch(ctx, cancel, to, show)
	if cause := context.Cause(ctx); err != nil && errors.Is(cause, errTimeout) {
		err = cause
	}
	if err != nil {
		return fmt.Errorf("downloading %s: %w", r.URL, err)
	}
	return nil
}

func (r Request) fetch(ctx context.Context, cancel context.CancelCauseFunc, to io.Writer, show *Progress) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URL, nil)
	if err != nil {
		return err
	}
	waited := show.ShowWait(host(r.URL)+" to answer", r.Answer)
	answer := time.AfterFunc(r.Answer, func() {
		cancel(fmt.Errorf("%s did not answer in %s: %w", host(r.URL), r.Answer, errTimeout))
	})
	resp, err := r.Client.Do(req)
	waited()
	answer.Stop()
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) { // the wrapper names the URL once more
			err = wrapped.Err
		}
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answered %s", resp.Status)
	}
	if resp.ContentLength > r.Bytes {
		return fmt.Errorf("it has %d bytes, want at most %d", resp.ContentLength, r.Bytes)
	}
	idle := time.AfterFunc(r.Idle, func() {
		cancel(fmt.Errorf("%s sent nothing for %s: %w", host(r.URL), r.Idle, errTimeout))
	})
	defer idle.Stop()
	show.Start(resp.ContentLength)
	body := io.LimitReader(resp.Body, r.Bytes+1)
	n, err := io.Copy(io.MultiWriter(to, show, restart{idle, r.Idle}), body)
	switch {
	case err == nil && n > r.Bytes:
		return fmt.Errorf("it has more than %d bytes", r.Bytes)
	case err == nil && resp.ContentLength >= 0 && n != resp.ContentLength:
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return fmt.Errorf("broke off after %d of %d bytes: %w", n, resp.ContentLength, err)
	}
	return nil
}

// restart is a writer that restarts a timer at each write.
type restart struct {
	timer *time.Timer
	after time.Duration
}

func (r restart) Write(b []byte) (int, error) {
	r.timer.Reset(r.after)
	return len(b), nil
}

// host returns the name of the server of an address, with its port number if it has one; if the
// address names no server, the address itself.
func host(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return address
}
