package trace_test

type errorCase struct{ op string }

var errorCases = []errorCase{{"DynamicReshape"}, {"DynamicShape"}, {"DynamicDimensionSize"}, {"AllReduce"}}
