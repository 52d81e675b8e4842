package layers

// This file holds what the layers of the host have in common: their data, hashes, encodings,
// and options.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dchest/siphash"
	farm "github.com/dgryski/go-farm"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
)

// lookupOptions are the options of layers of the host.
type lookupOptions struct {
	maxTokens       *int
	oov             int
	mask, oovToken  any // a string, an int64 or nil
	vocabulary      any // []string, []int64 or nil
	idf             []float64
	mode            string
	pad             bool
	salt            []int // nil, or two numbers
	oovMethod       string
	encoding, dtype string
	size            *int
	standardize     optional
	split           optional
	ngrams          ngrams
	length          *int
}

// MaxTokens limits the size of a vocabulary, with the tokens for masks and for unknown tokens.
func MaxTokens(n int) Option { return set("MaxTokens", n) }

// OOVIndices sets how many numbers there are for tokens that the vocabulary does not hold, 1 by
// default. Among several a hash chooses; with 0 such a token is an error.
func OOVIndices(n int) Option { return set("OOVIndices", n) }

// MaskToken sets the token, a text or a number, that gets the number 0, and that encodings leave
// out. By default there is none.
func MaskToken(token any) Option { return set("MaskToken", token) }

// OOVToken sets the token that stands for tokens outside the vocabulary.
func OOVToken(token any) Option { return set("OOVToken", token) }

// Vocabulary sets the tokens: a []string or a []int64.
func Vocabulary(tokens any) Option { return set("Vocabulary", tokens) }

// IDFWeights sets the weights of the tokens of Vocabulary for LookupMode("tf_idf").
func IDFWeights(weights ...float64) Option { return set("IDFWeights", weights) }

// LookupMode sets what a lookup returns: "int" (the default), the numbers; or of each row
// "one_hot", "multi_hot", "count", or "tf_idf", the count times the inverse frequency of
// documents that have the token.
func LookupMode(mode string) Option { return set("LookupMode", mode) }

// PadToMaxTokens gives encodings the size MaxTokens.
func PadToMaxTokens() Option { return set("PadToMaxTokens", true) }

// Salt makes hashes SipHash-2-4 with this key: one number, or two.
func Salt(key ...int) Option { return set("Salt", key) }

// OOVMethod sets how IntegerLookup chooses among OOVIndices: "floormod" (the default), or
// "farmhash".
func OOVMethod(method string) Option { return set("OOVMethod", method) }

// tokenField is a text or a number in options, nil for none.
type tokenField struct{ to *any }

func (f tokenField) Assign(v any) error {
	switch v := v.(type) {
	case nil, string, int64:
		*f.to = v
		return nil
	case int:
		*f.to = int64(v)
		return nil
	case float64:
		*f.to = int64(v)
		if v == math.Trunc(v) {
			return nil
		}
	}
	return fmt.Errorf("got %v, want a text, an integer or none", v)
}

func (f tokenField) Read() any { return *f.to }

// vocabularyField are tokens in options, nil for none.
type vocabularyField struct{ to *any }

func (f vocabularyField) Assign(v any) error {
	*f.to = v
	if v == nil {
		return nil
	}
	if texts, err := tokensOf[string](v); err == nil {
		*f.to = texts
		return nil
	}
	numbers, err := tokensOf[int64](v)
	*f.to = numbers
	return err
}

func (f vocabularyField) Read() any { return *f.to }

// saltField is a key of SipHash, of one or two numbers.
type saltField struct{ to *[]int }

func (f saltField) Assign(v any) error {
	*f.to = nil
	if v == nil {
		return nil
	}
	key, err := tokensOf[int64](v)
	if n, ok := v.(float64); ok && n == math.Trunc(n) {
		key, err = []int64{int64(n)}, nil
	}
	if err != nil || len(key) < 1 || len(key) > 2 {
		return fmt.Errorf("got %v, want one integer, or two", v)
	}
	*f.to = []int{int(key[0]), int(key[len(key)-1])}
	return nil
}

func (f saltField) Read() any {
	if *f.to == nil {
		return nil
	}
	return *f.to
}

// tokensOf returns tokens of Go or of JSON.
func tokensOf[T string | int64](v any) ([]T, error) {
	rows, rank, err := rowsOf[T](v)
	if err == nil && rank != 1 {
		err = fmt.Errorf("got lists of tokens, want a list of them")
	}
	var out []T
	for _, row := range rows {
		out = append(out, row...)
	}
	return out, err
}

// rowsOf returns the rows of data, and their rank: those of a slice of elements have one.
func rowsOf[T string | int64](values any) (rows [][]T, rank int, err error) {
	switch v := values.(type) {
	case *tensors.Tensor:
		return rowsOfTensor[T](v)
	case [][]T:
		return v, 2, nil
	case [][]int:
		for _, row := range v {
			r, _, err := rowsOf[T](row)
			if err != nil {
				return nil, 0, err
			}
			rows = append(rows, slices.Concat(r...))
		}
		return rows, 2, nil
	case []T:
		for _, t := range v {
			rows = append(rows, []T{t})
		}
		return rows, 1, nil
	}
	var list []any
	switch v := values.(type) {
	case []any:
		list = v
	case []int:
		for _, n := range v {
			list = append(list, int64(n))
		}
	default:
		return nil, 0, fmt.Errorf("got a %T, want a slice of %Ts, or of slices of them", values, *new(T))
	}
	for _, x := range list {
		if inner, ok := x.([]any); ok {
			r, _, err := rowsOf[T](inner)
			if err != nil {
				return nil, 0, err
			}
			rows, rank = append(rows, slices.Concat(r...)), 2
			continue
		}
		if n, ok := x.(float64); ok && n == math.Trunc(n) {
			x = int64(n)
		}
		t, ok := x.(T)
		if !ok || rank == 2 {
			return nil, 0, fmt.Errorf("got %v, want a %T", x, t)
		}
		rows = append(rows, []T{t})
	}
	return rows, max(rank, 1), nil
}

// rowsOfTensor returns the rows of a tensor of at most two dimensions.
func rowsOfTensor[T string | int64](t *tensors.Tensor) (rows [][]T, rank int, err error) {
	dims := data.Dims(t)
	if len(dims) < 1 || len(dims) > 2 {
		return nil, 0, fmt.Errorf("got a tensor of shape %v, want one or two dimensions", dims)
	}
	var flat []T
	switch to := any(&flat).(type) {
	case *[]string:
		*to, err = data.Texts(t)
	case *[]int64:
		*to, err = exactIntegers(t)
	}
	width := 1
	if len(dims) == 2 {
		width = dims[1]
	}
	for i := range dims[0] {
		if err == nil {
			rows = append(rows, flat[i*width:(i+1)*width])
		}
	}
	return rows, len(dims), err
}

// exactIntegers returns the elements of a tensor as integers: those of 64 bits exactly, which no
// float64 holds above 2^53.
func exactIntegers(t *tensors.Tensor) (out []int64, err error) {
	if data.IsText(t) {
		return nil, fmt.Errorf("got texts, want integers")
	}
	exact := true
	err = t.ConstFlatData(func(flat any) {
		switch flat := flat.(type) {
		case []int64:
			out = slices.Clone(flat)
		case []uint64:
			for _, n := range flat {
				out = append(out, int64(n))
			}
		default:
			exact = false
		}
	})
	if err == nil && !exact {
		err = data.Numbers(t, func(_ int, v float64) bool {
			out = append(out, int64(v))
			return true
		})
	}
	return out, err
}

// inverseFrequency is the weight of a token that so many of the documents have.
func inverseFrequency(documents, having int) float64 {
	return float64(float32(math.Log(1 + float64(documents)/float64(1+having))))
}

// hashed returns TensorFlow's hash of a text: Google's FarmHash, or SipHash-2-4 with a key.
func hashed(text string, salt []int) uint64 {
	if salt == nil {
		return farm.Fingerprint64([]byte(text))
	}
	return siphash.Hash(uint64(salt[0]), uint64(salt[1]), []byte(text))
}

// crossed joins the hashes of the values of a sample as tf.sparse.cross_hashed does.
func crossed(values []uint64) uint64 {
	const multiplier = 0xc6a4a7935bd1e995
	mix := func(x uint64) uint64 { return x ^ x>>47 }
	out := uint64(0xDECAFCAFFE)
	for _, v := range values {
		out ^= multiplier
		out ^= mix(v*multiplier) * multiplier
		out *= multiplier
		out = mix(mix(out) * multiplier)
	}
	return out
}

// encodeRows encodes numbers by row: "int" as int64, else as float32 of the given depth. A
// number beyond the depth, or below 0, is left out.
func encodeRows(rows [][]int, rank int, mode string, depth int) (*tensors.Tensor, error) {
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	dims := []int{len(rows), width}[:rank]
	if mode == "int" || mode == "one_hot" {
		for i, row := range rows {
			if len(row) != width {
				return nil, fmt.Errorf("row %d has %d elements, another one %d: want equal rows for %q", i, len(row), width, mode)
			}
		}
	}
	flat := slices.Concat(rows...)
	if mode == "int" {
		numbers := make([]int64, len(flat))
		for i, n := range flat {
			numbers[i] = int64(n)
		}
		return tensors.FromFlatDataAndDimensions(numbers, dims...), nil
	}
	samples := rows
	switch {
	case mode == "one_hot":
		samples = nil
		for _, n := range flat {
			samples = append(samples, []int{n})
		}
		if rank == 2 && width == 1 {
			dims = dims[:1]
		}
	case rank == 1: // one sample
		samples, dims = [][]int{flat}, nil
	default:
		dims = dims[:1]
	}
	out := make([]float32, len(samples)*depth)
	for i, sample := range samples {
		for _, n := range sample {
			switch {
			case n < 0 || n >= depth:
			case mode == "count":
				out[i*depth+n]++
			default:
				out[i*depth+n] = 1
			}
		}
	}
	return tensors.FromFlatDataAndDimensions(out, append(slices.Clone(dims), depth)...), nil
}

// lowered returns a text with the letters of ASCII in lower case.
func lowered(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}
