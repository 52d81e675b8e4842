package worker

// This file implements the worker's side.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Handlers has, by the kind of a request (Request.Do), the function that answers it. quit has none.
type Handlers map[string]func(ctx context.Context, r Request) (Answer, error)

// Serve answers requests until the request quit, or the end of in. If a request fails, or has no
// handler, the answer contains the error. Serve returns an error if a request is not JSON, or if it
// cannot write the answer.
func Serve(ctx context.Context, in io.Reader, out io.Writer, handlers Handlers) error {
	requests, answers := json.NewDecoder(bufio.NewReader(in)), json.NewEncoder(out)
	for {
		var r Request
		switch err := requests.Decode(&r); {
		case errors.Is(err, io.EOF) || r.Do == "quit":
			return nil
		case err != nil:
			return fmt.Errorf("a request: %w", err)
		}
		a, err := handlers.answer(ctx, r)
		a.OK = err == nil
		if err != nil {
			a.Error = err.Error()
		}
		if err := answers.Encode(a); err != nil {
			return err
		}
	}
}

func (h Handlers) answer(ctx context.Context, r Request) (Answer, error) {
	handle, ok := h[r.Do]
	if !ok {
		return Answer{}, fmt.Errorf("%q: %w", r.Do, errors.ErrUnsupported)
	}
	return handle(ctx, r)
}
