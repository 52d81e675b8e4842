package keras

// This file reads one number of the logs of a batch.

import (
	"context"
	"fmt"

	"github.com/gospmd/gospmd/internal/suggest"
)

// Value waits for the step, as Get does, and returns the number of that name.
func (b *BatchLogs) Value(ctx context.Context, name string) (float64, error) {
	logs, err := b.Get(ctx)
	if err != nil {
		return 0, err
	}
	if v, ok := logs.Get(name); ok {
		return v, nil
	}
	names := make([]string, len(logs))
	for i, l := range logs {
		names[i] = l.Name
	}
	return 0, fmt.Errorf("the batch has no log %q%s", name, suggest.Closest(name, names, "it has "))
}
