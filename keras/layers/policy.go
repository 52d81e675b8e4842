package layers

// This file defines dtype policies, the types in which layers keep their
// variables and compute: keras.dtype_policies.

import (
	"fmt"
	"strings"
	"sync"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/keras/variable"
)

// policy is a dtype policy: the types in which a layer keeps its variables and computes.
type policy struct {
	name              string
	variable, compute dtypes.DType
}

// Assign sets the policy to v: the name of a policy or of a type, or a dtypes.DType for both
// variables and computation. Others are errors.
func (p *policy) Assign(v any) (err error) {
	switch v := v.(type) {
	case string:
		*p, err = layerPolicy(v)
	case dtypes.DType:
		*p = policyOf(v)
	default:
		err = fmt.Errorf("got %v, want the name of a policy, or a type", v)
	}
	return err
}

// Read returns the name of the policy, for the layer's config.
func (p *policy) Read() any { return p.name }

// policies are the dtype policies that have names, in the order of error messages: the name, the
// type of the variables, and that of the computation.
var policies = []policy{
	{"float32", dtypes.Float32, dtypes.Float32},
	{"float64", dtypes.Float64, dtypes.Float64},
	{"bfloat16", dtypes.BFloat16, dtypes.BFloat16},
	{"float16", dtypes.Float16, dtypes.Float16},
	{"mixed_bfloat16", dtypes.Float32, dtypes.BFloat16},
	{MixedFloat16, dtypes.Float32, dtypes.Float16},
}

// MixedFloat16 is the name of the policy with float32 variables and computation
// in float16.
const MixedFloat16 = "mixed_float16"

var globalPolicy = struct {
	sync.Mutex
	policy
}{policy: policies[0]}

// SetDTypePolicy sets the policy of layers that are made from now on, unless
// they have the option DTypePolicy or DType: keras.config.set_dtype_policy. The
// default is "float32".
//
// With "mixed_bfloat16" layers keep float32 variables and compute in bfloat16:
// floating-point inputs and the variables that a layer reads are converted.
// Means and variances of normalizations, the softmax of attention, losses,
// metrics and the optimizer stay in float32. As in JAX, a gradient is computed in
// the type that its layer computes in. Products are summed over devices in float32,
// other gradients in that type; compile.Options.ReduceDType chooses one type for
// all. Therefore the losses of two meshes differ by the rounding of bfloat16.
//
// "mixed_float16" is the same with float16. Its largest number is 65504, and
// gradients below 6e-8 become 0. Therefore Compile makes the optimizer of a model
// with that policy scale the loss (optimizers.NewLossScaleOptimizer).
func SetDTypePolicy(name string) error {
	p, err := policyNamed(name)
	if err != nil {
		return err
	}
	globalPolicy.Lock()
	defer globalPolicy.Unlock()
	globalPolicy.policy = p
	return nil
}

// GlobalDTypePolicy returns the name of the policy that SetDTypePolicy has set, "float32" by
// default.
func GlobalDTypePolicy() string { return currentPolicy().name }

func currentPolicy() policy {
	globalPolicy.Lock()
	defer globalPolicy.Unlock()
	return globalPolicy.policy
}

func policyNamed(name string) (policy, error) {
	var names []string
	for _, p := range policies {
		if p.name == name {
			return p, nil
		}
		names = append(names, p.name)
	}
	return policy{}, fmt.Errorf("unknown dtype policy %q%s: want one of %s", name, suggest.DidYouMean(name, names), strings.Join(names, ", "))
}

// policyOf returns the policy with one type, which has the name of the type.
func policyOf(t dtypes.DType) policy { return policy{DTypeName(t), t, t} }

// layerPolicy returns the policy of one layer: that of the name, or of the type with that name,
// such as int32. Another name is an error.
func layerPolicy(name string) (policy, error) {
	p, err := policyNamed(name)
	if err != nil {
		if t, failed := dtypes.DTypeString(name); failed == nil && DTypeName(t) == name {
			return policyOf(t), nil
		}
	}
	return p, err
}

// CheckDTypePolicy returns an error unless a policy has that name.
func CheckDTypePolicy(name string) error {
	_, err := policyNamed(name)
	return err
}

// DTypePolicy sets the layer's policy by name, such as "mixed_bfloat16", or by that of a type, such
// as "int32"; the default is the global policy. An unknown name is an error of the layer.
func DTypePolicy(name string) Option { return set("DTypePolicy", name) }

// DType sets one type in which the layer keeps its variables and computes, such as "int32" or
// dtypes.Int32. The default for layers is the global policy; for an Input it is float32, and may be
// String, "string". An unknown name, and String for another layer, are errors.
func DType[T string | dtypes.DType](d T) Option {
	name, ok := any(d).(string)
	if !ok {
		return set("DType", d)
	}
	if name == DTypeName(String) {
		return set("DType", String)
	}
	t, err := dtypes.DTypeString(name)
	if err != nil {
		return set("DType", fmt.Errorf("got %q, want the name of a type, such as int32", name))
	}
	return set("DType", t)
}

// DType returns the type of the layer's variables, which its policy says.
func (b *Base) DType() dtypes.DType { return b.policy.variable }

// ComputeDType returns the type that the layer computes in, that of its dtype policy.
func (b *Base) ComputeDType() dtypes.DType { return b.policy.compute }

// DTypePolicy returns the name of the layer's policy, such as "float32". It is empty for a layer of
// a type of your own that is not built, unless SetDTypePolicy was called.
func (b *Base) DTypePolicy() string { return b.policy.name }

// SetDTypePolicy sets the policy of the layer alone, like the option DTypePolicy: for types of your
// own. An unknown name and a layer that is built already are errors, which the layer keeps.
func (b *Base) SetDTypePolicy(name string) {
	p, err := layerPolicy(name)
	switch {
	case b.built:
		b.fail("layer %s cannot get the dtype policy %q: its variables have their types already", b.name, name)
	case err != nil:
		b.fail("SetDTypePolicy: %w", err)
	default:
		b.policy = p
	}
}

// KeepInputs makes the layer keep the types of its inputs. Otherwise
// floating-point inputs are converted to ComputeDType.
func (b *Base) KeepInputs() { b.keepInputs = true }

// cast returns the inputs, floating-point ones converted to the type that the layer computes in.
// After KeepInputs it converts none.
func (b *Base) cast(inputs []*graph.Node) []*graph.Node {
	out := make([]*graph.Node, len(inputs))
	for i, x := range inputs {
		out[i] = x
		if x.DType().IsFloat() && !b.keepInputs {
			out[i] = graph.ConvertDType(x, b.policy.compute)
		}
	}
	return out
}

// Value returns the current node of v. That of a floating-point variable is
// converted to the type that the layer being called computes in;
// StatelessScope.Value does not convert it.
func (c *Context) Value(v *variable.Variable) *graph.Node {
	x := c.StatelessScope.Value(v)
	if c.current == nil || !x.DType().IsFloat() {
		return x
	}
	return graph.ConvertDType(x, c.current.policy.compute)
}
