package saving

// This file reads the vocabularies of layers that run on the host, such as TextVectorization: in
// .keras archives they are separate files.

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

// LoadHostLayer returns the layer with the given name in a .keras archive, without loading the
// model. It is for layers that run on the host, such as a *layers.TextVectorizationLayer: the layer
// has its vocabulary, but no weights of the file. A name that the archive does not have is an
// error.
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
	if err := a.readVocabularies(model); err != nil {
		return nil, err
	}
	var found map[string]any
	eachLayer(model, "", 0, func(o map[string]any, _ string) error {
		if c, _ := o["config"].(map[string]any); c["name"] == name && found == nil {
			found = o
		}
		return nil
	})
	if found == nil {
		return nil, fmt.Errorf("the file has no layer of that name")
	}
	class, config, err := classAndConfig(found)
	if err != nil {
		return nil, err
	}
	return decoder{budget: a.budget}.layer(class, config)
}

// eachLayer calls visit with the object of each layer in the config of a model, and with the
// layer's path in files. It also visits layers of nested models, up to maxDepth. It stops at the
// first error of visit, and returns it. path and depth are those of the model itself: "" and 0 for
// the outermost one.
func eachLayer(model map[string]any, path string, depth int, visit func(object map[string]any, path string) error) error {
	config, _ := model["config"].(map[string]any)
	list, _ := config["layers"].([]any)
	if depth > maxDepth {
		return nil
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
		if err := visit(o, at); err != nil {
			return err
		}
		if err := eachLayer(o, at, depth+1, visit); err != nil {
			return err
		}
	}
	return nil
}

// readVocabularies adds the vocabularies that the archive stores beside the config to the configs
// of their layers in model, which it changes; for tf_idf it also adds the tokens' weights. A config
// that has its vocabulary stays. Damaged vocabularies are errors, and the tokens count in the
// budget.
func (a *archive) readVocabularies(model map[string]any) error {
	return eachLayer(model, "", 0, func(o map[string]any, path string) error {
		config, _ := o["config"].(map[string]any)
		m, err := a.zip.Member("assets/" + path + "/vocabulary.txt")
		if err != nil || config == nil || config["vocabulary"] != nil {
			return nil // the config has the vocabulary, or the layer has none
		}
		text, err := m.Bytes()
		if err != nil {
			return err
		}
		lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
		if err := a.budget.Take(tokenCost*int64(len(lines)), "one more token"); err != nil {
			return err
		}
		if config["vocabulary"], err = tokens(o["class_name"], lines); err != nil {
			return fmt.Errorf("assets/%s/vocabulary.txt: %w", path, err)
		}
		if config["output_mode"] == "tf_idf" {
			config["idf_weights"], err = a.frequencies(path, len(lines))
		}
		return err
	})
}

// idfName is the name of the dataset with the weights of a vocabulary's tokens, of
// LookupMode("tf_idf").
const idfName = "idf_weights"

// tokenCost is an estimate of the memory of a token without its text, in bytes.
const tokenCost = 64

// tokens returns the lines of a vocabulary file as the config of a lookup of that class has its
// vocabulary: texts, or integers for an IntegerLookup.
func tokens(class any, lines []string) ([]any, error) {
	out := make([]any, len(lines))
	for i, t := range lines {
		out[i] = t
		if class != "IntegerLookup" {
			continue
		}
		n, err := strconv.ParseInt(t, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("line %d is %s, want an integer", i+1, brief.Text(t))
		}
		out[i] = n
	}
	return out, nil
}

// frequencies returns the weights of the n tokens of the vocabulary at path in the archive, nil if
// the file has none.
func (a *archive) frequencies(path string, n int) (any, error) {
	where := path + "/vars/" + idfName
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
	out := make([]any, n)
	for i := range out {
		b := data[4*i:]
		out[i] = float64(math.Float32frombits(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24))
	}
	return out, nil
}
