package saving

// This file writes and reads operations on tensors, such as x + 1: these are classes of
// keras.src.ops, with their arguments in inbound_nodes. It also reads masks, which Keras writes as
// operations.

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/keras/layers"
)

// These are the class names, in config.json, of arguments of operations that are not plain numbers.
const (
	sliceClass    = "__slice__"
	ellipsisClass = "__ellipsis__"
	constantClass = "__tensor__"
	arrayClass    = "__numpy__" // also a constant
)

// opsModule is the beginning of the names of Keras' modules of operations.
const opsModule = "keras.src.ops."

// encodeOperation returns the object that describes an operation, without its positional arguments.
func encodeOperation(l *layers.OperationLayer) *object {
	module, _, attrs := l.Operation()
	config := map[string]any{"name": l.Name()}
	for key, v := range attrs {
		config[key] = v
	}
	class := layers.ClassName(l)
	return &object{Module: module, ClassName: class, Config: decimals(config), RegisteredName: &class}
}

// encodeOperand returns an argument of an operation as config.json has it. inputs are the
// descriptions of the operation's tensors, which take the places of Operands.
func encodeOperand(v any, inputs []any) (any, error) {
	object := func(class string, config map[string]any) any {
		return map[string]any{"class_name": class, "config": config}
	}
	switch v := v.(type) {
	case layers.Operand:
		return inputs[v], nil
	case layers.Slice:
		return object(sliceClass, map[string]any{"start": v.Start, "stop": v.Stop, "step": v.Step}), nil
	case layers.Ellipsis:
		return object(ellipsisClass, map[string]any{}), nil
	case *tensors.Tensor:
		if !constantTypes[v.DType()] {
			return nil, fmt.Errorf("it has a constant of type %s, want float32, int32 or bool", layers.DTypeName(v.DType()))
		}
		return object(constantClass, map[string]any{"value": v.Value(), "dtype": layers.DTypeName(v.DType())}), nil
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			var err error
			if out[i], err = encodeOperand(x, inputs); err != nil {
				return nil, err
			}
		}
		return out, nil
	case float64:
		return decimal(v), nil
	case float32:
		return decimal(v), nil
	}
	if reflect.ValueOf(v).Kind() == reflect.Func {
		return nil, errors.New("it is applied to a Go function, which no file can hold: save the weights (SaveWeights), or write it as a layer and register that (RegisterLayer)")
	}
	return v, nil
}

// operation makes the layer of an operation, called name, of the class with this config, adds it to
// f.layers, and returns its calls, nodes. An operation is called once, or more often with the same
// arguments besides tensors. No tensors, and arguments and options that are not known, are errors.
func (f *functional) operation(name, class string, config map[string]any, nodes []any) ([]call, error) {
	var calls []call
	var first []any
	for i, n := range nodes {
		node, _ := n.(map[string]any)
		args, _ := node["args"].([]any)
		kwargs, _ := node["kwargs"].(map[string]any)
		args, err := withNamed(class, args, kwargs)
		if err != nil {
			return nil, err
		}
		var refs []tensorRef
		decoded, err := f.operand(args, &refs)
		if err != nil {
			return nil, err
		}
		if len(refs) == 0 {
			return nil, errors.New("it is applied to no tensor")
		}
		list, _ := decoded.([]any)
		if i == 0 {
			first = list
		} else if !reflect.DeepEqual(first, list) {
			return nil, fmt.Errorf("the operation %s is called with different arguments: call two operations in Keras", brief.Text(class))
		}
		calls = append(calls, call{name: name, index: i, tensors: refs})
	}
	attrs := make(map[string]any)
	for key, v := range config {
		if _, isPolicy := v.(map[string]any); key != "name" && key != "trainable" && !(key == "dtype" && isPolicy) {
			var inside []tensorRef
			plain, err := f.operand(v, &inside)
			if err != nil || len(inside) > 0 {
				return nil, fmt.Errorf("the operation %s has the option %s = %s, want numbers", brief.Text(class), brief.Text(key), brief.Value(v))
			}
			attrs[key] = plain
		}
	}
	if module := layers.OperationModule(class); module == "" {
		return nil, layers.ConstructionError(layers.NewOperation(class, nil, nil))
	}
	f.layers[name] = layers.NewOperation(class, first, attrs, layers.Name(name))
	return calls, layers.ConstructionError(f.layers[name])
}

// withNamed returns args, the positional arguments of an operation of the class, followed by
// kwargs, those that the call gives by name, in the operation's order, with nil for one that is
// left out before others. A name that the operation does not have is an error.
func withNamed(class string, args []any, kwargs map[string]any) ([]any, error) {
	left := maps.Clone(kwargs)
	args = slices.Clone(args)
	names := layers.OperationArguments(class)
	last := -1
	for i, name := range names {
		if _, ok := left[name]; ok {
			last = i
		}
	}
	for _, name := range names[:last+1] {
		args = append(args, left[name])
		delete(left, name)
	}
	if len(left) > 0 {
		return nil, fmt.Errorf("the operation %s has the arguments %s, which are not known here", brief.Text(class), suggest.Quote(slices.Sorted(maps.Keys(left))))
	}
	return args, nil
}

// operand returns v, an argument of an operation in config.json, as NewOperation takes it. Integers
// become ints. The tensors in it become Operands, and are appended to refs. Objects of other
// classes than tensors, slices, ellipses and constants are errors.
func (f *functional) operand(v any, refs *[]tensorRef) (any, error) {
	switch v := v.(type) {
	case float64:
		if n, ok := integer(v); ok {
			return n, nil
		}
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			var err error
			if out[i], err = f.operand(x, refs); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		config, _ := v["config"].(map[string]any)
		switch v["class_name"] {
		case tensorClass:
			ref, err := decodeRef(config["keras_history"])
			*refs = append(*refs, ref)
			return layers.Operand(len(*refs) - 1), err
		case sliceClass:
			return layers.Slice{Start: bound(config["start"]), Stop: bound(config["stop"]), Step: bound(config["step"])}, nil
		case ellipsisClass:
			return layers.Ellipsis{}, nil
		case constantClass, arrayClass:
			return f.constant(config)
		}
		return nil, fmt.Errorf("its argument %s is not known here", brief.Value(v))
	}
	return v, nil
}

// bound converts the start, stop or step of a Python slice, as JSON has it, to an int; nil if it is
// not an integer, such as None.
func bound(v any) *int {
	n, ok := integer(v)
	if !ok {
		return nil
	}
	return &n
}

// constant returns the constant tensor in config, whose value is nested lists of numbers, and
// charges the budget. Lists of unequal lengths, no elements, and types other than float32, int32
// and bool are errors.
func (f *functional) constant(config map[string]any) (any, error) {
	var dims []int
	for v := config["value"]; ; {
		list, ok := v.([]any)
		if !ok {
			break
		}
		if dims = append(dims, len(list)); len(list) == 0 {
			return nil, errors.New("it has a constant without elements")
		}
		v = list[0]
	}
	var flat []float64
	if err := flatten(config["value"], dims, &flat); err != nil {
		return nil, err
	}
	dtype, err := dtypes.DTypeString(fmt.Sprint(config["dtype"]))
	if err != nil || !constantTypes[dtype] {
		return nil, fmt.Errorf("it has a constant of type %s, want float32, int32 or bool", brief.Value(config["dtype"]))
	}
	if err := f.budget.Take(8*int64(len(flat)), "a constant"); err != nil {
		return nil, err
	}
	t := tensors.FromShape(shapes.Make(dtype, dims...))
	switch dtype {
	case dtypes.Int32:
		return t, tensors.MutableFlatData(t, func(to []int32) {
			for i, v := range flat {
				to[i] = int32(v)
			}
		})
	case dtypes.Bool:
		return t, tensors.MutableFlatData(t, func(to []bool) {
			for i, v := range flat {
				to[i] = v != 0
			}
		})
	}
	return t, tensors.MutableFlatData(t, func(to []float32) {
		for i, v := range flat {
			to[i] = float32(v)
		}
	})
}

// constantTypes are the element types that a constant in a config may have.
var constantTypes = map[dtypes.DType]bool{dtypes.Float32: true, dtypes.Int32: true, dtypes.Bool: true}

// flatten appends the numbers in v, nested lists of the sizes dims, to *to; true becomes 1 and
// false 0. It returns an error for another form.
func flatten(v any, dims []int, to *[]float64) error {
	if len(dims) == 0 {
		if truth, ok := v.(bool); ok {
			v = map[bool]float64{true: 1}[truth]
		}
		x, ok := v.(float64)
		if !ok {
			return fmt.Errorf("its constant has the element %s, want a number", brief.Value(v))
		}
		*to = append(*to, x)
		return nil
	}
	list, ok := v.([]any)
	if !ok || len(list) != dims[0] {
		return errors.New("its constant has lists of different lengths")
	}
	for _, x := range list {
		if err := flatten(x, dims[1:], to); err != nil {
			return err
		}
	}
	return nil
}

// masks are the names of the arguments of calls that are masks. Our layers compute them from their
// inputs, as Keras does if they are not given.
var masks = []string{"mask", "query_mask", "value_mask", "key_mask"}

// checkMasks removes the masks from the named arguments of calls: our layers compute them. It
// returns an error if a call is given a mask that is not made by an Embedding or a Masking layer.
func (f *functional) checkMasks(calls []call) error {
	for _, c := range calls {
		for _, key := range masks {
			given := present(c.kwargs[key])
			delete(c.kwargs, key)
			refs, err := tensorRefs(given)
			if err != nil {
				return fmt.Errorf("layer %s: %s: %w", brief.Text(c.name), key, err)
			}
			for _, ref := range refs {
				if !f.madeByKeras(ref, calls) {
					return fmt.Errorf("layer %s: its %s is computed by %s, want the mask of an Embedding with mask_zero, or of Masking",
						brief.Text(c.name), key, brief.Text(ref.layer))
				}
			}
		}
	}
	return nil
}

// present returns the masks in v, those that a call is given: one, a list of them, or a dict. It
// leaves out null.
func present(v any) (out []any) {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		for _, x := range v {
			out = append(out, present(x)...)
		}
		return out
	case map[string]any:
		if v["class_name"] == nil {
			return present(values(v))
		}
	}
	return []any{v}
}

// madeByKeras reports whether a tensor is the mask that an Embedding or a Masking layer of the
// model makes from its input x: not_equal(x, 0), or any(not_equal(x, value), axis=-1).
func (f *functional) madeByKeras(mask tensorRef, calls []call) bool {
	_, overSteps := f.applied(mask, "Any", calls)
	if overSteps != nil {
		mask = overSteps.tensors[0]
	}
	op, compared := f.applied(mask, "NotEqual", calls)
	if compared == nil {
		return false
	}
	_, args, _ := op.Operation()
	if len(args) != 2 {
		return false
	}
	return slices.ContainsFunc(calls, func(c call) bool {
		switch l := f.layers[c.name].(type) {
		case *layers.EmbeddingLayer:
			config, _ := l.Config()
			if overSteps != nil || config["mask_zero"] != true || args[1] != 0 {
				return false
			}
		case *layers.MaskingLayer:
			value, isInt := args[1].(int)
			if overSteps == nil || args[1] != l.MaskValue && (!isInt || float64(value) != l.MaskValue) {
				return false
			}
		default:
			return false
		}
		refs, err := tensorRefs(c.args)
		return err == nil && len(refs) == 1 && refs[0] == compared.tensors[0]
	})
}

// applied returns the operation that has the tensor t as its output, and the call of it among
// calls, if its class is the given one; otherwise nil.
func (f *functional) applied(t tensorRef, class string, calls []call) (*layers.OperationLayer, *call) {
	op, ok := f.layers[t.layer].(*layers.OperationLayer)
	i := slices.IndexFunc(calls, func(c call) bool { return c.name == t.layer && c.index == t.node })
	if !ok || i < 0 || layers.ClassName(op) != class {
		return nil, nil
	}
	return op, &calls[i]
}

// isOperation reports whether an object of this module is an operation.
func isOperation(module any) bool {
	name, _ := module.(string)
	return strings.HasPrefix(name, opsModule)
}
