package layers_test

import (
	"fmt"
	"log"

	"github.com/gospmd/gospmd/keras/layers"
)

// TextVectorization learns the words of texts, and replaces texts by the numbers of their words,
// which an Embedding makes vectors of.
func ExampleTextVectorization() {
	words := layers.TextVectorization(layers.OutputSequenceLength(4))
	if err := words.Adapt([]string{"The fox, the dog.", "The fox!"}); err != nil {
		log.Fatal(err)
	}
	x, err := words.Vectorize([]string{"the dog", "A fox and the fox"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q\n%v\n", words.Vocabulary(), x.Value())
	// Output:
	// ["" "[UNK]" "the" "fox" "dog"]
	// [[2 4 0 0] [1 3 1 2]]
}
