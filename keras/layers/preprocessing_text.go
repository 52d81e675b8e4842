package layers

// This file defines TextVectorization, which converts texts to indices of tokens, on the host.

import (
	"fmt"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/data"
)

// textOptions holds the options of TextVectorization: those of the vocabulary, Standardize and
// Split ("" for none), NGrams, and OutputSequenceLength (nil for that of the longest text).
type textOptions struct {
	vocabularyOptions
	Standardize          optional `option:"standardize" default:"lower_and_strip_punctuation" oneof:"lower_and_strip_punctuation lower strip_punctuation"`
	Split                optional `option:"split" default:"whitespace" oneof:"whitespace character"`
	NGrams               ngrams   `option:"ngrams"`
	OutputSequenceLength *int     `option:"output_sequence_length" want:"size"`
	encodingOptions
}

// TextVectorizationLayer converts texts to the indices of their tokens in a vocabulary, on the
// host: keras.layers.TextVectorization.
type TextVectorizationLayer struct {
	onHost
	opts  *textOptions
	words lookup[string]
}

// TextVectorization returns a layer that standardizes texts, splits them into tokens, joins tokens
// to n-grams, and looks up the index of each in a vocabulary. Give a Vocabulary, or call Adapt to
// make one. Options: Name, MaxTokens, Standardize, Split, NGrams, LookupMode, OutputSequenceLength,
// PadToMaxTokens, Vocabulary, IDFWeights.
func TextVectorization(opts ...Option) *TextVectorizationLayer {
	return declare[*TextVectorizationLayer]("TextVectorization", opts)
}

// Standardize sets how TextVectorization standardizes texts: "lower_and_strip_punctuation" (the
// default), "lower", "strip_punctuation", or "" for no change. It affects only ASCII letters and
// punctuation. Others are errors.
func Standardize(how string) Option { return set("Standardize", how) }

// Split sets what a token of TextVectorization is: with "whitespace" (the default) a word, with
// "character" a character, with "" the whole text. Others are errors.
func Split(at string) Option { return set("Split", at) }

// NGrams makes TextVectorization join neighbouring tokens, with a space between them. One number n
// stands for all lengths from 1 to n, several numbers for these lengths only. Numbers below 1 are
// errors. By default it joins none.
func NGrams(n ...int) Option { return set("NGrams", n) }

// OutputSequenceLength makes TextVectorization cut or pad its result for LookupMode("int") to n
// indices for each text; in other modes, and for n below 1, it is an error. By default the result
// has the length of the longest text of a call.
func OutputSequenceLength(n int) Option { return set("OutputSequenceLength", n) }

func newTextVectorization(d declared, o *textOptions) Layer {
	if o.OutputSequenceLength != nil && o.LookupMode != "int" {
		d.fail("TextVectorization: got OutputSequenceLength with LookupMode %q, want \"int\"", o.LookupMode)
	}
	words := &lookupOptions{
		vocabularyOptions: o.vocabularyOptions, MaskToken: token{""}, OOVIndices: 1, OOVToken: token{"[UNK]"}, OOVMethod: "floormod",
	}
	l := &TextVectorizationLayer{onHost: onHost{d}, opts: o, words: newLookup[string](d.makePart("StringLookup", words), words)}
	if l.words.err != nil {
		l.fail("%w", l.words.err)
	}
	return l
}

// Vocabulary returns the tokens in the order of their indices: "[UNK]" first, but with
// LookupMode("int") behind "", which is for padding.
func (l *TextVectorizationLayer) Vocabulary() []string { return l.words.Vocabulary() }

// SetVocabulary sets the tokens, with or without "" and "[UNK]" before them; idf are their weights
// for LookupMode("tf_idf"), one for each, nil otherwise. No tokens, tokens that occur twice, more
// than MaxTokens, weights that do not fit, and another size of the encoding after the layer was
// applied are errors.
func (l *TextVectorizationLayer) SetVocabulary(tokens []string, idf []float64) error {
	return l.words.SetVocabulary(tokens, idf)
}

// Frequencies returns the inverse document frequencies of the tokens in the order of their indices,
// that of "[UNK]" first, with LookupMode("tf_idf"). It returns nil in other modes, and before the
// layer has a vocabulary.
func (l *TextVectorizationLayer) Frequencies() []float32 { return l.words.Frequencies() }

// Adapt makes the vocabulary of the tokens in texts, the most frequent first, at most MaxTokens, in
// place of the one before. Each batch is a slice or a tensor of texts, or a data.Dataset of such
// batches. Texts without tokens, and another size of the encoding after the layer was applied, are
// errors.
func (l *TextVectorizationLayer) Adapt(batches ...any) error {
	c := newTokenCounts[string]()
	err := visitBatches(batches, func(batch any) error {
		list, err := textList(batch)
		c.add(l.split(list))
		return err
	})
	if err != nil {
		return fmt.Errorf("layer TextVectorization: Adapt: %w", err)
	}
	return l.words.adapt(c)
}

// textList returns texts, a slice or a tensor of one text in each row, as a slice. Rows of several
// texts, and other values, are errors.
func textList(texts any) (list []string, err error) {
	rows, _, err := rowsOf[string](texts)
	for i, row := range rows {
		if len(row) != 1 {
			return nil, fmt.Errorf("row %d has %d texts, want one", i, len(row))
		}
		list = append(list, row[0])
	}
	return list, err
}

// Build makes no variables: the vocabulary is on the host. It fixes the size of the encoding.
func (l *TextVectorizationLayer) Build(*Builder, []Spec) error {
	l.words.built = true
	return nil
}

// HostSpecs returns the spec of indices, [batch, tokens], or of encodings, [batch, depth]. Without
// OutputSequenceLength the number of indices is unknown. Inputs other than one text for each sample
// are errors, and so is an encoding without a vocabulary or PadToMaxTokens.
func (l *TextVectorizationLayer) HostSpecs(inputs []Spec) ([]Spec, error) {
	o := l.opts
	switch {
	case len(inputs) != 1 || inputs[0].DType != String:
		return nil, fmt.Errorf("got inputs %v, want one of texts: Input([]int{1}, layers.DType(layers.String))", inputs)
	case len(inputs[0].Shape) > 2 || len(inputs[0].Shape) == 2 && inputs[0].Shape[1] != 1:
		return nil, fmt.Errorf("got an input of shape %s, want (None,) or (None, 1): one text for each sample", ShapeText(inputs[0].Shape))
	case o.LookupMode != "int" && !o.PadToMaxTokens && l.words.tokens == nil:
		return nil, errNoVocabulary
	}
	width := None
	if o.OutputSequenceLength != nil {
		width = *o.OutputSequenceLength
	}
	out := Spec{Shape: []int{inputs[0].Shape[0], width}, DType: dtypes.Int64}
	if o.LookupMode != "int" {
		out = Spec{Shape: []int{inputs[0].Shape[0], l.words.depth()}, DType: dtypes.Float32}
	}
	return []Spec{out}, nil
}

// CallHost returns what Vectorize returns for a tensor of texts; for a scalar, a single text, it
// leaves out the dimension of the texts. Several inputs are an error.
func (l *TextVectorizationLayer) CallHost(inputs []*tensors.Tensor) ([]*tensors.Tensor, error) {
	return only(inputs, func(x *tensors.Tensor) (*tensors.Tensor, error) {
		if len(data.Dims(x)) > 0 {
			return l.vectorize(x)
		}
		one, err := data.Reshape(x, 1)
		if err != nil {
			return nil, err
		}
		if one, err = l.vectorize(one); err != nil {
			return nil, err
		}
		return data.Reshape(one, one.Shape().Dim(-1))
	})
}

// Vectorize returns the indices of the tokens of texts, a slice or a tensor of them: (texts,
// tokens) int64, with 0 behind those of shorter texts, or a float32 encoding of each text, as
// LookupMode says. A layer without a vocabulary, and several texts in a row, are errors.
func (l *TextVectorizationLayer) Vectorize(texts any) (*tensors.Tensor, error) {
	t, err := l.vectorize(texts)
	if err != nil {
		return nil, fmt.Errorf("layer TextVectorization: Vectorize: %w", err)
	}
	return t, nil
}

func (l *TextVectorizationLayer) vectorize(texts any) (*tensors.Tensor, error) {
	list, err := textList(texts)
	if err != nil {
		return nil, err
	}
	rows, err := l.words.numbers(l.split(list))
	if err != nil {
		return nil, err
	}
	if l.opts.LookupMode == "int" {
		width := 0
		for _, row := range rows {
			width = max(width, len(row))
		}
		if n := l.opts.OutputSequenceLength; n != nil {
			width = *n
		}
		for i, row := range rows {
			row = append(row, make([]int, max(0, width-len(row)))...)
			rows[i] = row[:width]
		}
	}
	return l.words.encode(rows, 2)
}

// Config returns the layer's options, with the current vocabulary and IDF weights, which it copies
// into the options.
func (l *TextVectorizationLayer) Config() (map[string]any, error) {
	l.opts.Vocabulary, l.opts.IDFWeights = l.words.opts.Vocabulary, l.words.opts.IDFWeights
	return l.declared.Config()
}

// split returns the tokens of each text: the text standardized, and split by the options
// Standardize and Split, as n-grams if the option NGrams is set.
func (l *TextVectorizationLayer) split(texts []string) [][]string {
	o := l.opts
	rows := make([][]string, len(texts))
	for i, text := range texts {
		if strings.HasPrefix(string(o.Standardize), "lower") {
			text = lowerASCII(text)
		}
		if strings.HasSuffix(string(o.Standardize), "strip_punctuation") {
			text = strings.Map(func(r rune) rune {
				if strings.ContainsRune("!\"#$%&()*+,-./:;<=>?@[\\]^_`{|}~'", r) {
					return -1
				}
				return r
			}, text)
		}
		switch o.Split {
		case "whitespace":
			rows[i] = strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\v\f\r", r) })
		case "character":
			rows[i] = strings.Split(text, "")
		default:
			rows[i] = []string{text}
		}
		rows[i] = o.NGrams.of(rows[i])
	}
	return rows
}

// ngrams holds the option NGrams: the numbers of tokens that are joined. If upTo is set, sizes has
// one number, which stands for all sizes up to it.
type ngrams struct {
	sizes []int
	upTo  bool // given as one number
}

// Assign sets the sizes of the n-grams to v: a number n, which stands for the sizes up to n, or a
// list of sizes. nil is none. Sizes that are not positive are errors.
func (n *ngrams) Assign(v any) error {
	*n = ngrams{}
	if v == nil {
		return nil
	}
	sizes, err := tokensOf[int64](v)
	if one, ok := v.(float64); ok {
		sizes, err = []int64{int64(one)}, nil
	}
	list, _ := v.([]int)
	_, isNumber := v.(float64)
	n.upTo = isNumber || len(list) == 1
	for _, s := range sizes {
		if s < 1 || s > option.MaxSize {
			err = fmt.Errorf("not positive")
		}
		n.sizes = append(n.sizes, int(s))
	}
	if err != nil {
		return fmt.Errorf("got %v, want positive numbers of tokens", v)
	}
	return nil
}

// Read returns the number or the list that Assign was given, or nil.
func (n *ngrams) Read() any {
	switch {
	case n.sizes == nil:
		return nil
	case n.upTo:
		return n.sizes[0]
	}
	return n.sizes
}

// of returns the n-grams of tokens, joined by blanks, those of one size after those of another;
// tokens themselves if there are no sizes.
func (n *ngrams) of(tokens []string) (out []string) {
	if n.sizes == nil {
		return tokens
	}
	sizes := n.sizes
	if n.upTo {
		sizes = nil
		for s := 1; s <= min(n.sizes[0], len(tokens)); s++ {
			sizes = append(sizes, s)
		}
	}
	for _, s := range sizes {
		for i := 0; i+s <= len(tokens); i++ {
			out = append(out, strings.Join(tokens[i:i+s], " "))
		}
	}
	return out
}
