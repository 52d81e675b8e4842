package distribution

// This file implements DistributeTensor, for tensors of the user.

import (
	"context"
	"fmt"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
)

// DistributeTensor brings a tensor to the devices of the layout's mesh, on the process' client,
// which it opens: keras.distribution.distribute_tensor. The caller releases the array. In a job of
// several processes, all must call it with the same tensor, and each puts the shards of its own
// devices. If each process has only its rows, use runtime.Client.PutLocal. A nil tensor or layout,
// and a layout for another rank, are errors.
func DistributeTensor(ctx context.Context, t *tensors.Tensor, l *TensorLayout) (*runtime.Array, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("distribution: DistributeTensor: %w", err)
	}
	if t == nil || l == nil {
		return nil, fmt.Errorf("distribution: DistributeTensor got a nil tensor or layout, want both, such as NewTensorLayout returns")
	}
	typ := ir.Tensor(t.DType(), t.Shape().Dimensions...)
	s, err := toSharding("DistributeTensor", l, typ.Rank(), nil)
	if err != nil {
		return nil, err
	}
	c, err := Client(ctx)
	if err != nil {
		return nil, err
	}
	var a *runtime.Array
	var putErr error
	err = t.ConstFlatData(func(flat any) { a, putErr = c.Put(typ, s, flat) })
	if err == nil {
		err = putErr
	}
	if err != nil {
		return nil, fmt.Errorf("distribution: DistributeTensor: %w", err)
	}
	return a, nil
}
