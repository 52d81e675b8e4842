package layers

// This file defines StringLookup and IntegerLookup. They replace tokens by their index in a
// vocabulary, and run on the host. It also defines the options of all layers with a vocabulary.

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/gomlx/gomlx/core/tensors"
)

// lookupClasses has the layers that run on the host: by the name of the class in Keras, how a layer
// is made of its options.
var lookupClasses = map[string]class{
	"HashedCrossing": classOf(func(d declared, o *hashOptions) Layer { return &HashedCrossingLayer{onHost{d}, o} }),
	"Hashing":        classOf(func(d declared, o *hashingOptions) Layer { return &HashingLayer{onHost{d}, o} }),
	"IntegerLookup": classOf(func(d declared, o *integerLookupOptions) Layer {
		return &IntegerLookupLayer{newLookup[int64](d, &o.lookupOptions)}
	}, OOVToken(-1)),
	"StringLookup": classOf(func(d declared, o *stringLookupOptions) Layer {
		return &StringLookupLayer{newLookup[string](d, &o.lookupOptions)}
	}, OOVToken("[UNK]")),
	"TextVectorization": classOf(newTextVectorization),
}

// vocabularyOptions holds the options of all layers with a vocabulary: the vocabulary, its largest
// size, the weights for "tf_idf", LookupMode and PadToMaxTokens. VocabularySize only stands in
// files.
type vocabularyOptions struct {
	MaxTokens      *int       `option:"max_tokens" want:"size"`
	Vocabulary     vocabulary `option:"vocabulary"`
	VocabularySize *int       `argument:"vocabulary_size"` // in files
	IDFWeights     []float64  `option:"idf_weights"`
	LookupMode     string     `option:"output_mode" default:"int" oneof:"int one_hot multi_hot count tf_idf"`
	PadToMaxTokens bool       `option:"pad_to_max_tokens"`
}

// lookupOptions holds the options of StringLookup and IntegerLookup: those in vocabularyOptions,
// the number of indices and the token for unknown tokens, MaskToken, Invert, OOVMethod and Salt.
type lookupOptions struct {
	vocabularyOptions
	OOVIndices int    `option:"num_oov_indices" default:"1" want:"notNegative"`
	MaskToken  token  `option:"mask_token"`
	OOVToken   token  `option:"oov_token"`
	Invert     bool   `option:"invert"`
	OOVMethod  string `option:"oov_method" default:"floormod" oneof:"floormod farmhash"`
	saltOptions
}

// stringLookupOptions holds the options of StringLookup: those of all lookups, and the character
// encoding.
type stringLookupOptions struct {
	lookupOptions
	encodingOptions
}

// integerLookupOptions holds the options of IntegerLookup: those of all lookups, and the type of
// its vocabulary, int64.
type integerLookupOptions struct {
	lookupOptions
	VocabularyDType string `argument:"vocabulary_dtype" default:"int64" oneof:"int64"` // in files
}

// encodingOptions holds the character encoding of texts, always "utf-8". It only stands in files;
// no function sets it.
type encodingOptions struct {
	TextEncoding string `argument:"encoding" default:"utf-8" oneof:"utf-8"`
}

// saltOptions holds the option Salt, the key of hashes; nil for hashes without one.
type saltOptions struct {
	Salt salt `option:"salt"`
}

// MaxTokens limits the size of the vocabulary of StringLookup, IntegerLookup and TextVectorization,
// which includes the tokens for masks and for unknown tokens. By default there is no limit. A
// number below 2 is an error, and so is a Vocabulary that is larger.
func MaxTokens(n int) Option { return set("MaxTokens", n) }

// OOVIndices sets the number of indices of StringLookup and IntegerLookup for tokens outside the
// vocabulary, 1 by default. If there are several, a hash of a text chooses one, and OOVMethod says
// how an integer does. If it is 0, such a token is an error. A negative number is an error of the
// layer.
func OOVIndices(n int) Option { return set("OOVIndices", n) }

// MaskToken sets the token of StringLookup and IntegerLookup, a text or a whole number, that masks.
// With LookupMode("int") it has the index 0, and other modes ignore it. By default there is none.
func MaskToken(token any) Option { return set("MaskToken", token) }

// OOVToken sets the token of StringLookup and IntegerLookup, a text or a whole number, that stands
// for tokens outside the vocabulary: "[UNK]" by default, -1 for IntegerLookup.
func OOVToken(token any) Option { return set("OOVToken", token) }

// Vocabulary sets the tokens of StringLookup, IntegerLookup and TextVectorization: a []string for
// texts, or a []int64 for integers. Without it, Adapt finds them. It is an error if there are none,
// or if a token occurs twice.
func Vocabulary(tokens any) Option { return set("Vocabulary", tokens) }

// IDFWeights sets the weights of the tokens of Vocabulary, one for each, for LookupMode("tf_idf").
// In other modes they are an error.
func IDFWeights(weights ...float64) Option { return set("IDFWeights", weights) }

// LookupMode sets the result of StringLookup, IntegerLookup and TextVectorization. "int", the
// default, returns the indices. The others return vectors: "one_hot" for each token; and for each
// row "multi_hot", "count", or "tf_idf", the count times the inverse document frequency of the
// token. Other modes are errors.
func LookupMode(mode string) Option { return set("LookupMode", mode) }

// PadToMaxTokens gives encodings the size MaxTokens, also if the vocabulary is smaller. It needs
// the option MaxTokens.
func PadToMaxTokens() Option { return set("PadToMaxTokens", true) }

// Salt makes the hashes of Hashing, StringLookup and IntegerLookup SipHash-2-4 with this key: two
// numbers, or one, which counts twice; others are errors. Without it they are FarmHash.
// IntegerLookup takes it only with OOVMethod("farmhash").
func Salt(key ...int) Option { return set("Salt", key) }

// OOVMethod sets how IntegerLookup chooses among OOVIndices: "floormod" (the default), the
// remainder of the integer, or "farmhash", its hash. Others are errors.
func OOVMethod(method string) Option { return set("OOVMethod", method) }

// token is the value of an option that is a text or a number, or nil.
type token struct{ value any }

func (f *token) Assign(v any) error {
	switch v := v.(type) {
	case nil, string, int64:
		f.value = v
		return nil
	case int:
		f.value = int64(v)
		return nil
	case float64:
		f.value = int64(v)
		if v == math.Trunc(v) {
			return nil
		}
	}
	return fmt.Errorf("got %v, want a text, an integer or none", v)
}

func (f *token) Read() any { return f.value }

// vocabulary is the value of an option that is a list of tokens, or nil.
type vocabulary struct{ tokens any } // []string or []int64

func (f *vocabulary) Assign(v any) error {
	f.tokens = v
	if v == nil {
		return nil
	}
	if texts, err := tokensOf[string](v); err == nil {
		f.tokens = texts
		return nil
	}
	numbers, err := tokensOf[int64](v)
	f.tokens = numbers
	return err
}

func (f *vocabulary) Read() any { return f.tokens }

// salt is the value of the option Salt: a key of SipHash, two numbers, or nil.
type salt []int

func (f *salt) Assign(v any) error {
	*f = nil
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
	*f = []int{int(key[0]), int(key[len(key)-1])}
	return nil
}

func (f *salt) Read() any {
	if *f == nil {
		return nil
	}
	return []int(*f)
}

// lookup is what the lookups and TextVectorization share: a vocabulary of texts or numbers, and the
// place of each token.
type lookup[T string | int64] struct {
	onHost
	opts   *lookupOptions
	tokens []T       // the vocabulary, without the tokens for masks and for unknown tokens
	idf    []float32 // weights of all tokens of Vocabulary, then of what pads it
	places map[T]int
}

// StringLookupLayer maps texts to their index in a vocabulary, on the host:
// keras.layers.StringLookup.
type StringLookupLayer struct{ lookup[string] }

// StringLookup returns a lookup of texts. Give a Vocabulary, or call Adapt to make one. Options:
// Name, MaxTokens, OOVIndices, MaskToken, OOVToken ("[UNK]"), Vocabulary, IDFWeights, Invert,
// LookupMode, PadToMaxTokens, Salt.
func StringLookup(opts ...Option) *StringLookupLayer {
	return declare[*StringLookupLayer]("StringLookup", opts)
}

// IntegerLookupLayer maps integers to their index in a vocabulary, on the host:
// keras.layers.IntegerLookup.
type IntegerLookupLayer struct{ lookup[int64] }

// IntegerLookup returns a lookup of integers. Options: those of StringLookup, with OOVToken
// -1, and OOVMethod.
func IntegerLookup(opts ...Option) *IntegerLookupLayer {
	return declare[*IntegerLookupLayer]("IntegerLookup", opts)
}

// newLookup returns the lookup of a layer with these options, and its vocabulary if it is given.
// Options that do not fit together become the layer's error.
func newLookup[T string | int64](d declared, o *lookupOptions) lookup[T] {
	l := lookup[T]{onHost: onHost{d}, opts: o}
	switch {
	case d.err != nil:
	case o.MaxTokens != nil && *o.MaxTokens < 2:
		l.fail("%s: got MaxTokens %d, want more than one", d.class, *o.MaxTokens)
	case o.PadToMaxTokens && o.MaxTokens == nil:
		l.fail("%s: PadToMaxTokens wants MaxTokens", d.class)
	case o.Invert && o.LookupMode != "int":
		l.fail("%s: got LookupMode %q with Invert, want \"int\"", d.class, o.LookupMode)
	case o.IDFWeights != nil && o.LookupMode != "tf_idf":
		l.fail("%s: got IDFWeights with LookupMode %q, want \"tf_idf\"", d.class, o.LookupMode)
	case o.Salt != nil && d.class == "IntegerLookup" && o.OOVMethod != "farmhash":
		l.fail("IntegerLookup: Salt wants OOVMethod(\"farmhash\")")
	case o.Vocabulary.tokens != nil:
		tokens, err := tokensOf[T](o.Vocabulary.tokens)
		if err == nil {
			err = l.set(tokens, o.IDFWeights)
		}
		if err != nil {
			l.fail("%s: Vocabulary: %w", d.class, err)
		}
	}
	return l
}

// maskToken returns the token of the option MaskToken; ok is false if it is not set.
func (l *lookup[T]) maskToken() (token T, ok bool) {
	token, ok = l.opts.MaskToken.value.(T)
	return token, ok
}

// firstOOV returns the index of the first unknown token: 1 if the mask token has index 0, as in the
// mode "int" with a MaskToken, else 0.
func (l *lookup[T]) firstOOV() int {
	if _, ok := l.maskToken(); ok && l.opts.LookupMode == "int" {
		return 1
	}
	return 0
}

func (l *lookup[T]) firstToken() int { return l.firstOOV() + l.opts.OOVIndices }

// special returns the tokens that come before those of the vocabulary: in the mode "int" the mask
// token, if there is one, then OOVIndices times the token for unknown tokens.
func (l *lookup[T]) special() (out []T) {
	mask, _ := l.maskToken()
	unknown, _ := l.opts.OOVToken.value.(T)
	return append(slices.Repeat([]T{mask}, l.firstOOV()), slices.Repeat([]T{unknown}, l.opts.OOVIndices)...)
}

// Vocabulary returns a new list of the tokens in the order of their indices. The tokens for masks,
// in the mode "int", and for unknown tokens come first; before the layer has a vocabulary, they are
// all.
func (l *lookup[T]) Vocabulary() []T { return append(l.special(), l.tokens...) }

// SetVocabulary sets the tokens. They may begin with the tokens for masks and for unknown tokens.
// idf holds the weights for LookupMode("tf_idf"), one for each of tokens; other modes ignore it. No
// tokens, a token that occurs twice, the mask token at another place, more than MaxTokens, another
// number of weights, and another size of the encoding after the layer was applied are errors.
func (l *lookup[T]) SetVocabulary(tokens []T, idf []float64) error {
	if err := l.set(tokens, idf); err != nil {
		return fmt.Errorf("layer %s: SetVocabulary: %w", l.class, err)
	}
	return nil
}

func (l *lookup[T]) set(tokens []T, idf []float64) error {
	o, special := l.opts, l.special()
	withSpecial := len(tokens) >= len(special) && slices.Equal(tokens[:len(special)], special)
	given := len(tokens)
	if withSpecial {
		tokens = tokens[len(special):]
	}
	if mask, ok := l.maskToken(); ok && slices.Contains(tokens, mask) {
		return fmt.Errorf("the token for masks, %v, is not at the start: leave it out, or begin with %v", mask, special)
	}
	switch {
	case given == 0:
		return fmt.Errorf("got no tokens, want at least one")
	case o.MaxTokens != nil && len(tokens)+len(special) > *o.MaxTokens:
		return fmt.Errorf("got %d tokens with those for masks and for what is unknown, MaxTokens is %d", len(tokens)+len(special), *o.MaxTokens)
	case o.LookupMode == "tf_idf" && len(idf) != given:
		return fmt.Errorf("got %d IDFWeights for %d tokens, want one for each", len(idf), given)
	}
	places := make(map[T]int, len(tokens))
	for i, t := range tokens {
		if _, ok := places[t]; ok {
			return fmt.Errorf("the token %v is there twice", t)
		}
		places[t] = l.firstToken() + i
	}
	if before := l.depth(); l.built && o.LookupMode != "int" && l.tokens != nil && !o.PadToMaxTokens && before != l.firstToken()+len(tokens) {
		return fmt.Errorf("got %d tokens for a layer that is part of a model with %d: their number cannot change after the layer was applied, but with PadToMaxTokens", l.firstToken()+len(tokens), before)
	}
	l.tokens, l.places = slices.Clone(tokens), places
	o.Vocabulary.tokens = l.tokens
	if o.LookupMode != "tf_idf" {
		return nil
	}
	if !withSpecial { // unknown tokens get the mean
		sum := 0.
		for _, x := range idf {
			sum += x
		}
		idf = append(slices.Repeat([]float64{sum / float64(len(idf))}, len(special)), idf...)
	}
	o.Vocabulary.tokens, o.IDFWeights = l.Vocabulary(), idf
	l.idf = make([]float32, max(len(idf), l.depth()))
	for i, x := range idf {
		l.idf[i] = float32(x)
	}
	return nil
}

// Frequencies returns the weights of the tokens for LookupMode "tf_idf", in the order of their
// indices: those of unknown tokens come first. With PadToMaxTokens, zeros follow up to MaxTokens.
// It returns nil in other modes, and before the layer has a vocabulary.
func (l *lookup[T]) Frequencies() []float32 { return l.idf }

// depth returns the size of an encoding: MaxTokens if it is padded to that, or else the number of
// tokens.
func (l *lookup[T]) depth() int {
	if o := l.opts; o.PadToMaxTokens {
		return *o.MaxTokens
	}
	return l.firstToken() + len(l.tokens)
}

// Adapt makes the vocabulary of the tokens in data, the most frequent first, at most MaxTokens, in
// place of the one before. Each batch is a slice or a tensor of tokens, each a document of its own,
// or of documents, which are slices of tokens; or a data.Dataset of such batches. Data without
// tokens, and another size of the encoding after the layer was applied, are errors.
func (l *lookup[T]) Adapt(batches ...any) error {
	c := newTokenCounts[T]()
	err := visitBatches(batches, func(batch any) error {
		rows, _, err := rowsOf[T](batch)
		c.add(rows)
		return err
	})
	if err != nil {
		return fmt.Errorf("layer %s: Adapt: %w", l.class, err)
	}
	return l.adapt(c)
}

// tokenCounts counts tokens for Adapt: how often each occurs (counts), in how many documents (in),
// and the number of documents.
type tokenCounts[T comparable] struct {
	counts, in map[T]int
	documents  int
}

func newTokenCounts[T comparable]() *tokenCounts[T] {
	return &tokenCounts[T]{counts: make(map[T]int), in: make(map[T]int)}
}

func (c *tokenCounts[T]) add(documents [][]T) {
	c.documents += len(documents)
	for _, d := range documents {
		seen := make(map[T]bool)
		for _, t := range d {
			c.counts[t]++
			if !seen[t] {
				seen[t] = true
				c.in[t]++
			}
		}
	}
}

func (l *lookup[T]) adapt(c *tokenCounts[T]) error {
	counts := c.counts
	for _, special := range []any{l.opts.MaskToken.value, l.opts.OOVToken.value} {
		if t, ok := special.(T); ok {
			delete(counts, t)
		}
	}
	tokens := make([]T, 0, len(counts))
	for t := range counts {
		tokens = append(tokens, t)
	}
	slices.SortFunc(tokens, func(a, b T) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(b, a))
	})
	if n := l.opts.MaxTokens; n != nil {
		tokens = tokens[:min(len(tokens), max(0, *n-l.firstToken()))]
	}
	var idf []float64
	if l.opts.LookupMode == "tf_idf" {
		for _, t := range tokens {
			idf = append(idf, inverseFrequency(c.documents, c.in[t]))
		}
	}
	return l.SetVocabulary(tokens, idf)
}

// number returns the index of a token. ok is false for the mask token if an encoding ignores it. A
// token outside the vocabulary is an error if OOVIndices is 0.
func (l *lookup[T]) number(token T) (n int, ok bool, err error) {
	if mask, is := l.maskToken(); is && token == mask {
		return 0, l.opts.LookupMode == "int", nil
	}
	if n, ok := l.places[token]; ok {
		return n, true, nil
	}
	o := l.opts
	switch o.OOVIndices {
	case 0:
		return 0, false, fmt.Errorf("the token %v is not in the vocabulary, and OOVIndices is 0", token)
	case 1:
		return l.firstOOV(), true, nil
	}
	value, isNumber := any(token).(int64)
	if isNumber && o.OOVMethod != "farmhash" {
		n := int64(o.OOVIndices)
		return l.firstOOV() + int((value%n+n)%n), true, nil
	}
	text, _ := any(token).(string)
	if isNumber {
		text = strconv.FormatInt(value, 10)
	}
	return l.firstOOV() + int(hashText(text, o.Salt)%uint64(o.OOVIndices)), true, nil
}

// HostSpecs returns the spec of the indices, or of their encoding. Several inputs, a layer with
// Invert, too few dimensions for the mode, and an encoding without a vocabulary or PadToMaxTokens
// are errors.
func (l *lookup[T]) HostSpecs(inputs []Spec) ([]Spec, error) {
	o := l.opts
	switch {
	case len(inputs) != 1:
		return nil, fmt.Errorf("got %d inputs, want one", len(inputs))
	case l.opts.Invert:
		return nil, fmt.Errorf("it has the option Invert, so that it returns tokens, which no model computes: call Tokens on what Predict returns")
	case o.LookupMode != "int" && !o.PadToMaxTokens && l.tokens == nil:
		return nil, errNoVocabulary
	}
	s, err := encodedSpec(inputs[0], o.LookupMode, l.depth())
	return []Spec{s}, err
}

// CallHost returns the indices of a tensor of any rank, as Lookup does, encoded row by row. Several
// inputs, and what is an error of Lookup, are errors.
func (l *lookup[T]) CallHost(inputs []*tensors.Tensor) ([]*tensors.Tensor, error) {
	return only(inputs, func(x *tensors.Tensor) (*tensors.Tensor, error) {
		return byRows(x, l.opts.LookupMode, l.depth(), l.look)
	})
}

// errNoVocabulary is the error of a lookup before it has a vocabulary, by the option or by Adapt.
var errNoVocabulary = errors.New("it has no vocabulary: give the option Vocabulary, or call Adapt")

// Lookup returns the indices of tokens, int64 in their shape, or their float32 encodings as
// LookupMode says. tokens is a slice of tokens, a slice of such slices or a tensor of one or two
// dimensions. Others are errors; so are a layer without a vocabulary or with Invert, unknown tokens
// if OOVIndices is 0, and for "int" and "one_hot" rows of different lengths.
func (l *lookup[T]) Lookup(tokens any) (*tensors.Tensor, error) {
	t, err := l.look(tokens)
	if err != nil {
		return nil, fmt.Errorf("layer %s: Lookup: %w", l.class, err)
	}
	return t, nil
}

func (l *lookup[T]) look(tokens any) (*tensors.Tensor, error) {
	rows, rank, err := rowsOf[T](tokens)
	if err == nil && l.opts.Invert {
		err = fmt.Errorf("the option Invert wants Tokens, which returns tokens")
	}
	if err != nil {
		return nil, err
	}
	numbers, err := l.numbers(rows)
	if err != nil {
		return nil, err
	}
	return l.encode(numbers, rank)
}

// numbers returns the index of each token of each row, and -1 for tokens that an encoding ignores.
// A lookup without a vocabulary, and unknown tokens if OOVIndices is 0, are errors.
func (l *lookup[T]) numbers(rows [][]T) ([][]int, error) {
	if l.tokens == nil {
		return nil, errNoVocabulary
	}
	out := make([][]int, len(rows))
	for i, row := range rows {
		out[i] = make([]int, len(row))
		for k, t := range row {
			n, ok, err := l.number(t)
			if err != nil {
				return nil, err
			}
			if !ok {
				n = -1
			}
			out[i][k] = n
		}
	}
	return out, nil
}

func (l *lookup[T]) encode(rows [][]int, rank int) (*tensors.Tensor, error) {
	mode := l.opts.LookupMode
	if mode != "tf_idf" {
		return encodeRows(rows, rank, mode, l.depth())
	}
	t, err := encodeRows(rows, rank, "count", l.depth())
	if err != nil {
		return nil, err
	}
	err = t.MutableFlatData(func(flat any) {
		for i, x := range flat.([]float32) {
			flat.([]float32)[i] = x * l.idf[i%len(l.idf)]
		}
	})
	return t, err
}

// Tokens returns the tokens that have the indices numbers, all in one list; those beyond the
// vocabulary as OOVToken. It is what a layer with Invert computes. numbers is a slice of integers,
// a slice of such slices, or a tensor of one or two dimensions, row by row; anything else is an
// error.
func (l *lookup[T]) Tokens(numbers any) ([]T, error) {
	rows, _, err := rowsOf[int64](numbers)
	if err != nil {
		return nil, fmt.Errorf("layer %s: Tokens: %w", l.class, err)
	}
	unknown, _ := l.opts.OOVToken.value.(T)
	all := l.Vocabulary()
	var out []T
	for _, row := range rows {
		for _, n := range row {
			t := unknown
			if n >= 0 && n < int64(len(all)) {
				t = all[n]
			}
			out = append(out, t)
		}
	}
	return out, nil
}
