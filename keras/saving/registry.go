package saving

// This file holds the layers, losses and metrics of users, which files name by their
// registered names.

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
)

// registry holds the arguments of the Register functions, by registered name, such as
// my_package>Scale.
var registry = struct {
	sync.RWMutex
	layers  map[string]func(config map[string]any) (layers.Layer, error)
	types   map[reflect.Type]string // the registered names of the types of layers
	losses  map[string]func(config map[string]any) (*losses.Loss, error)
	metrics map[string]func(config map[string]any) (*metrics.Metric, error)
}{
	layers: make(map[string]func(map[string]any) (layers.Layer, error)), types: make(map[reflect.Type]string),
	losses: make(map[string]func(map[string]any) (*losses.Loss, error)), metrics: make(map[string]func(map[string]any) (*metrics.Metric, error)),
}

// RegisterLayer registers a type of layers, so that models with them are saved and loaded:
// keras.saving.register_keras_serializable. The name is a package and the name of the class in
// Keras, such as my_package>Scale; a class that is registered in Keras under the same name can read
// our files, and the other way round.
//
// The function of makes the layer from the result of its Config after a round trip through JSON:
// numbers are float64, lists []any. The name of the layer, its dtype policy and whether it is
// frozen are set afterwards. L is the layer's type, no interface. A second registration of the
// name, another name for the type, a name of another form and a nil function are errors.
func RegisterLayer[L layers.Configured](name string, of func(config map[string]any) (L, error)) error {
	var none L
	t := reflect.TypeOf(&none).Elem()
	if t.Kind() == reflect.Interface {
		return fmt.Errorf("saving: RegisterLayer: %s: got the type %s: want that of the layer, such as *Scale", name, t)
	}
	registry.Lock()
	defer registry.Unlock()
	if have, ok := registry.types[t]; ok && have != name {
		return fmt.Errorf("saving: RegisterLayer: %s: the type %s is registered as %s", name, t, have)
	}
	make := func(config map[string]any) (layers.Layer, error) { return of(config) }
	if of == nil {
		make = nil
	}
	if err := register("RegisterLayer", registry.layers, name, make); err != nil {
		return err
	}
	registry.types[t] = name
	return nil
}

// RegisterLoss registers a custom loss, made by losses.New. The name is a package and the name of
// the loss, such as my_package>my_loss. config is nil if the loss is a function in Keras. If it is
// a class, config is the result of its get_config. We write losses as functions. A name that is
// registered already or has another form, and a nil function, are errors.
func RegisterLoss(name string, of func(config map[string]any) (*losses.Loss, error)) error {
	registry.Lock()
	defer registry.Unlock()
	return register("RegisterLoss", registry.losses, name, of)
}

// RegisterMetric registers a function that makes a metric of the user, by metrics.New or
// metrics.NewStateful, as RegisterLoss does for a loss. The errors are the same.
func RegisterMetric(name string, of func(config map[string]any) (*metrics.Metric, error)) error {
	registry.Lock()
	defer registry.Unlock()
	return register("RegisterMetric", registry.metrics, name, of)
}

// register adds the function of, under the name, to the table of the registry. It returns an error,
// which names the exported function, for a wrong or a second entry.
func register[T any](function string, table map[string]func(map[string]any) (T, error), name string, of func(map[string]any) (T, error)) error {
	pkg, class, ok := strings.Cut(name, ">")
	switch {
	case !ok || pkg == "" || class == "" || strings.Contains(class, ">"):
		return fmt.Errorf("saving: %s: got the name %q, want a package and a name, such as my_package>Scale", function, name)
	case of == nil:
		return fmt.Errorf("saving: %s: %s: got a nil function", function, name)
	case table[name] != nil:
		return fmt.Errorf("saving: %s: %s is registered already", function, name)
	}
	table[name] = of
	return nil
}

// registered returns the function of table that a user has registered under the name; ok is false
// if there is none. It locks the registry.
func registered[T any](table map[string]func(map[string]any) (T, error), name string) (of func(map[string]any) (T, error), ok bool) {
	registry.RLock()
	defer registry.RUnlock()
	of, ok = table[name]
	return of, ok
}

// registeredType returns the name under which the type of layer l is registered; ok is false if it
// is not.
func registeredType(l layers.Layer) (name string, ok bool) {
	registry.RLock()
	defer registry.RUnlock()
	name, ok = registry.types[reflect.TypeOf(l)]
	return name, ok
}

// registeredName returns the registered name of an object of a file, if it belongs to a user's
// class or function. For a function, Keras writes the name as the config.
func registeredName(v any) (name string, ok bool) {
	o, _ := v.(map[string]any)
	key := "registered_name"
	if o["class_name"] == functionClass {
		key = "config"
	}
	name, _ = o[key].(string)
	return name, strings.Contains(name, ">")
}

// functionClass is the class name that config.json has for a function.
const functionClass = "function"

// registeredObject returns the loss or metric of the user that v in a config describes, made by the
// function that the table has for its name. kind, such as "loss", is for errors. ok is false if v
// is not the user's. A name that is not in the table, and a function that fails or returns nil, are
// errors.
func registeredObject[T any](v any, kind string, table map[string]func(map[string]any) (T, error)) (made T, ok bool, err error) {
	name, ok := registeredName(v)
	if !ok {
		return made, false, nil
	}
	of, known := registered(table, name)
	if !known {
		return made, true, errNotRegistered(kind, name)
	}
	config, _ := v.(map[string]any)["config"].(map[string]any)
	made, err = of(config)
	if err == nil && reflect.ValueOf(&made).Elem().IsNil() {
		err = errors.New("got nil")
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", brief.Text(name), err)
	}
	return made, true, err
}

// errNotRegistered returns the error of a class or function of a user, whose registered name is
// name and which is a kind such as "loss", that was not registered before loading.
func errNotRegistered(kind, name string) error {
	return fmt.Errorf("the %s %s is a class of the user that is not registered here: register it with saving.Register%s%s before the model is loaded",
		kind, brief.Text(name), strings.ToUpper(kind[:1]), kind[1:])
}

// functionObject returns the object that config.json has for a loss or metric that is registered
// under this name, without its package; of several packages the first in the alphabet. ok is false
// if there is none.
func functionObject[T any](table map[string]func(map[string]any) (T, error), name string) (o map[string]any, ok bool) {
	registry.RLock()
	defer registry.RUnlock()
	full := ""
	for key := range table {
		if _, class, _ := strings.Cut(key, ">"); class == name && (full == "" || key < full) {
			full = key
		}
	}
	return map[string]any{"module": "builtins", "class_name": functionClass, "config": full, "registered_name": functionClass}, full != ""
}
