package suggest

// This file defines Distance, the number of typing errors between two words.

// Distance returns the smallest number of inserted, deleted, replaced or
// swapped neighbouring characters that turns a into b (the optimal string
// alignment distance: Levenshtein's with swaps).
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	// rows[i%3][j] is the distance between the first i runes of x and the first
	// j of y; a swap looks two rows back.
	var rows [3][]int
	for r := range rows {
		rows[r] = make([]int, len(y)+1)
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		row, above := rows[i%3], rows[(i-1)%3]
		row[0] = i
		for j := 1; j <= len(y); j++ {
			replace := above[j-1]
			if x[i-1] != y[j-1] {
				replace++
			}
			row[j] = min(replace, above[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], rows[(i-2)%3][j-2]+1)
			}
		}
	}
	return rows[len(x)%3][len(y)]
}
