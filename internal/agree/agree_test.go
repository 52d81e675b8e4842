package agree_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/agree"
	"github.com/gospmd/gospmd/internal/testing/agreetest"
)

// On returns the values of all processes by rank. If one process passes an error, that process gets
// it back, and the others one that names the process.
func TestOn(t *testing.T) {
	errs := agreetest.Run(3, func(job agree.Job) error {
		values, err := agree.On(t.Context(), job, "values", []byte{byte(10 + job.ProcessIndex())}, nil)
		if err == nil && fmt.Sprint(values) != "[[10] [11] [12]]" {
			err = fmt.Errorf("got %v", values)
		}
		return err
	})
	require.Equal(t, make([]error, 3), errs)

	full := errors.New("the disk is full")
	errs = agreetest.Run(3, func(job agree.Job) error {
		var err error
		if job.ProcessIndex() == 1 {
			err = full
		}
		_, err = agree.On(t.Context(), job, "errors", nil, err)
		return err
	})
	require.EqualError(t, errs[0], "process 1: the disk is full")
	require.Same(t, full, errs[1], "its own")
	require.EqualError(t, errs[2], "process 1: the disk is full")
}

// TestForeign exchanges values with a process that sends a value of another form, as another
// program might. The error must name the process and the value.
func TestForeign(t *testing.T) {
	errs := agreetest.Run(2, func(job agree.Job) error {
		if job.ProcessIndex() == 1 {
			_, err := job.Exchange(t.Context(), "step", []byte("hello"))
			return err
		}
		_, err := agree.On(t.Context(), job, "step", nil, nil)
		return err
	})
	require.ErrorContains(t, errs[0], `process 1 sent "hello" under "step"`)
	require.NoError(t, errs[1])
}
