package pathkey_test

import (
	"fmt"

	"github.com/gospmd/gospmd/internal/pathkey"
)

// The key that is the path itself goes first. Two others that match it are an error.
func Example() {
	var rules []pathkey.Key
	for _, text := range []string{`d\d/kernel`, `d1/kernel`, `.*/kernel`} {
		k, err := pathkey.Compile(text)
		if err != nil {
			fmt.Println(err)
		}
		rules = append(rules, k)
	}
	self := func(k pathkey.Key) pathkey.Key { return k }
	for _, path := range []string{"d1/kernel", "conv/kernel", "d2/kernel", "d2/bias"} {
		fmt.Println(pathkey.Find(rules, self, "variable", path))
	}
	fmt.Println(pathkey.Compile(`a)(b`))
	// Output:
	// 1 <nil>
	// 2 <nil>
	// -1 variable "d2/kernel" matches 2 keys, "d\\d/kernel", ".*/kernel", want at most one: narrow them, or set the path itself as a key, which goes first
	// -1 <nil>
	// { <nil>} the key is no regular expression: error parsing regexp: unexpected ): `a)(b`: expressions follow Go's package regexp, which has no look-ahead and no back-references
}
