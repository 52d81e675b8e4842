package adult

// This file invents the people.

import "math/rand/v2"

// columns has, for each column with categories, the number of its categories, as in the census.
var columns = []struct {
	name   string
	values int
}{
	{"workclass", 9}, {"education", 16}, {"marital_status", 7}, {"occupation", 15},
	{"relationship", 6}, {"race", 5}, {"sex", 2}, {"native_country", 42},
}

var numberColumns = []string{"age", "fnlwgt", "education_num", "capital_gain", "capital_loss", "hours_per_week"}

// quantiles has the quantiles of the columns with numbers, the same for each: those of the normal
// distribution.
var quantiles = []float32{-1.645, -1.036, -0.674, -0.385, -0.126, 0.126, 0.385, 0.674, 1.036, 1.645}

// people returns the columns of n people, and for each the income: 1 if it is large, else 0. The
// income depends on the columns, and partly on chance. Each result has n rows: categories a number
// for each of columns, numbers one for each of numberColumns, incomes a single number.
func people(n int) (categories [][]int64, numbers, incomes [][]float32) {
	random := rand.New(rand.NewPCG(1, 2))
	for range n {
		c, x := make([]int64, len(columns)), make([]float32, len(numberColumns))
		score := random.NormFloat64() - 1
		for i, column := range columns {
			c[i] = random.Int64N(int64(column.values))
			score += float64(c[i])/float64(column.values) - 0.5
		}
		for i := range x {
			x[i] = float32(random.NormFloat64())
			score += float64(x[i]) / float64(i+1)
		}
		income := float32(0)
		if score > 0 {
			income = 1
		}
		categories, numbers, incomes = append(categories, c), append(numbers, x), append(incomes, []float32{income})
	}
	return categories, numbers, incomes
}
