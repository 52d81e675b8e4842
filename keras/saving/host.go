package saving

// This file reads layers that run on the host, such as TextVectorization, of .keras archives:
// their vocabularies are files of their own.

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/internal/autoname"
	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/budget"
	"github.com/gospmd/gospmd/internal/hdf5"
	"github.com/gospmd/gospmd/keras/layers"
)

// LoadHostLayer returns the layer of that name in a .keras archive that runs on the host, such as a
// *layers.TextVectorizationLayer, with its vocabulary. The model itself, whose input are texts, is
// no model of devices: make what comes after the layer here, and give it what the layer returns.
func LoadHostLayer(archive, name string) (layers.Layer, error) {
	l, err := loadHostLayer(archive, name)
	if err != nil {
		return nil, fmt.Errorf("saving: layer %s of %s: %w", name, archive, brief.Error(err))
	}
	return l, nil
}

func loadHostLayer(file, name string) (layers.Layer, error) {
	a, err := openArchive(file)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	if err := a.budget.JSON(a.config, budget.Any, "the values of "+configName); err != nil {
		return nil, err
	}
	var model map[string]any
	if err := json.Unmarshal(a.config, &model); err != nil {
		return nil, fmt.Errorf("%s: %w", configName, err)
	}
	object, path := findLayer(model, name, "", 0)
	if object == nil {
		return nil, fmt.Errorf("the file has no layer of that name")
	}
	class, config, err := classAndConfig(object)
	if err != nil {
		return nil, err
	}
	l, err := decoder{budget: a.budget}.layer(class, config)
	if err != nil {
		return nil, err
	}
	return l, a.readVocabulary(l, path)
}

// findLayer returns the object of a layer in a model, and the layer's path in files.
func findLayer(model map[string]any, name, path string, depth int) (object map[string]any, at string) {
	config, _ := model["config"].(map[string]any)
	list, _ := config["layers"].([]any)
	if depth > maxDepth {
		return nil, ""
	}
	count := make(map[string]int)
	for _, v := range list {
		o, _ := v.(map[string]any)
		class, _ := o["class_name"].(string)
		key := autoname.Snake(class)
		count[key]++
		if n := count[key]; n > 1 {
			key = fmt.Sprintf("%s_%d", key, n-1)
		}
		at := below(path, "layers/"+key)
		if c, _ := o["config"].(map[string]any); c["name"] == name {
			return o, at
		}
		if o, at := findLayer(o, name, at, depth+1); o != nil {
			return o, at
		}
	}
	return nil, ""
}

// readVocabulary gives a layer the vocabulary that stands beside the config.
func (a *archive) readVocabulary(l layers.Layer, path string) error {
	m, err := a.zip.Member("assets/" + path + "/vocabulary.txt")
	if err != nil {
		return nil // the config has it, or the layer has none
	}
	text, err := m.Bytes()
	if err != nil {
		return err
	}
	tokens := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	idf, err := a.frequencies(path, len(tokens))
	if err != nil {
		return err
	}
	switch l := l.(type) {
	case interface {
		SetVocabulary([]string, []float64) error
	}:
		return l.SetVocabulary(tokens, idf)
	case interface {
		SetVocabulary([]int64, []float64) error
	}:
		numbers := make([]int64, len(tokens))
		for i, t := range tokens {
			if numbers[i], err = strconv.ParseInt(t, 10, 64); err != nil {
				return fmt.Errorf("vocabulary.txt: line %d is %s, want an integer", i+1, brief.Text(t))
			}
		}
		return l.SetVocabulary(numbers, idf)
	}
	return nil
}

// frequencies returns the weights of a vocabulary's tokens, nil if the file has none.
func (a *archive) frequencies(path string, n int) ([]float64, error) {
	where := path + "/vars/idf_weights"
	if !a.weights.Root().Has(where) {
		return nil, nil
	}
	d, err := a.weights.Root().Dataset(where)
	if err != nil {
		return nil, err
	}
	if shape := d.Shape(); len(shape) != 1 || shape[0] < n || d.Type() != hdf5.Float32 {
		return nil, fmt.Errorf("%s has the shape %v of %s, want at least the %d tokens of float32", where, shape, d.Type(), n)
	}
	data := make([]byte, 4*n)
	if err := d.Slab([]int{0}, []int{n}, data); err != nil {
		return nil, err
	}
	out := make([]float64, n)
	for i := range out {
		b := data[4*i:]
		out[i] = float64(math.Float32frombits(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24))
	}
	return out, nil
}
