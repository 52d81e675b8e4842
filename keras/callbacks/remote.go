package callbacks

// This file defines RemoteMonitor.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/gospmd/gospmd/keras"
)

// RemoteMonitor posts the logs of each epoch to a server: keras.callbacks.RemoteMonitor. If the
// server cannot be reached, it logs a warning and the training goes on. In a job of several
// processes only process 0 posts.
type RemoteMonitor struct {
	keras.EpochCallback
	Root       string            // "http://localhost:9000" by default
	Path       string            // "/publish/epoch/end/" by default
	Field      string            // name of the form field that holds the logs as JSON: "data" by default
	Headers    map[string]string // of the request
	SendAsJSON bool              // post the logs as JSON, instead of in a form
	Logger     *slog.Logger      // gets warnings; slog.Default by default
	Client     *http.Client      // by default one with a timeout of ten seconds

	model *keras.Model
}

// OnTrainBegin stores the model. OnEpochEnd asks it whether this process is the chief.
func (c *RemoteMonitor) OnTrainBegin(_ context.Context, m *keras.Model) error {
	c.model = m
	return nil
}

// OnEpochEnd posts the logs, with the number of the epoch, to the server. If that fails, it logs a
// warning. It never returns an error.
func (c *RemoteMonitor) OnEpochEnd(ctx context.Context, epoch int, logs keras.Logs) error {
	if !isChief(c.model) {
		return nil
	}
	if err := c.post(ctx, epoch, logs); err != nil {
		cmp.Or(c.Logger, slog.Default()).Warn(fmt.Sprintf("RemoteMonitor: epoch %d: %v", epoch, err))
	}
	return nil
}

func (c *RemoteMonitor) post(ctx context.Context, epoch int, logs keras.Logs) error {
	values := map[string]any{"epoch": epoch}
	for _, l := range logs {
		values[l.Name] = l.Value
	}
	text, err := json.Marshal(values)
	if err != nil {
		return err // a log is NaN or infinite
	}
	body, kind := text, "application/json"
	if !c.SendAsJSON {
		body = []byte(url.Values{or(c.Field, "data"): {string(text)}}.Encode())
		kind = "application/x-www-form-urlencoded"
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, or(c.Root, "http://localhost:9000")+or(c.Path, "/publish/epoch/end/"), bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", kind)
	for name, v := range c.Headers {
		r.Header.Set(name, v)
	}
	client := c.Client
	if client == nil {
		client = &http.Client{Timeout: 10 * time.Second}
	}
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// or returns the text, or byDefault if the text is empty.
func or(text, byDefault string) string {
	if text == "" {
		return byDefault
	}
	return text
}
