package ir

// This file holds the table of the hooks: the parts of a pretty form that are
// more than one attribute in short form.

// hook is a row of the table.
type hook struct {
	name   string            // in the templates
	attrs  []string          // attributes that it shows
	region bool              // it shows the regions
	fits   func(op *Op) bool // whether it can show op; nil: always
	print  func(*printer, *Op)
	parse  func(*parser, *draft)
}

// hookTable returns the table. It is a function because hooks refer back to the
// templates.
func hookTable() []hook {
	return []hook{
		// Operands, and the dictionary of the other attributes.
		// %0, %1
		{name: "OPERANDS", fits: fitsOperands, print: printOperands, parse: parseOperands},
		// (%0, %1)
		{name: "ARGS", print: printArgs, parse: (*parser).operandsInParens},
		// {a = 1 : i64}
		{name: "ATTRS", print: printAttrs, parse: parseAttrs},

		// Types.
		// (operand types) -> result types
		{name: "FUNC", print: (*printer).functionType, parse: (*parser).typesOf},
		// operand types -> result types
		{name: "ARROW", fits: fitsArrow, print: printArrow, parse: parseArrow},
		// the type of all operands and the result
		{name: "SAME", fits: hasOneResult, print: printSame, parse: parseSame},
		// a complex type, whose parts the operands are
		{name: "COMPLEX", fits: hasOneResult, print: printComplex, parse: parseComplex},
		// the type of the predicate, the type of all others
		{name: "SELECT", fits: fitsSelect, print: printSelect, parse: parseSelect},
		// the type of the result; operands have it as well
		{name: "RESULT", fits: hasResultType, print: printResult, parse: parseResult},
		// the types of the operands, and of the results
		{name: "TYPES", fits: fitsTypes, print: printTypes, parse: parseTypes},
		// the types of the operands of an op without results
		{name: "INPUTS", fits: fitsInputs, print: printInputs, parse: parseInputs},

		// Attributes.
		// a literal, whose type is the result's
		{name: "VALUE", attrs: []string{"value"}, fits: fitsValue, print: printValue, parse: parseValue},
		// @target
		{name: "TARGET", attrs: []string{"call_target_name"}, fits: hasKinds(KindString, "call_target_name"), print: printTarget, parse: parseTarget},
		// e5m10
		{name: "FORMAT", attrs: []string{"exponent_bits", "mantissa_bits"}, fits: hasKinds(KindInt32, "exponent_bits", "mantissa_bits"), print: printFormat, parse: parseFormat},
		// [start:limit:stride, …], a stride of 1 left out
		{name: "RANGES", attrs: []string{"start_indices", "limit_indices", "strides"}, fits: fitsRanges, print: printRanges, parse: parseRanges},
		// batching_dims = [0] x [0], contracting_dims = [1] x [1]
		{name: "DOT", attrs: []string{"dot_dimension_numbers"}, fits: hasKinds(KindDot, "dot_dimension_numbers"), print: printDot, parse: parseDot},
		// stride = [1, 1], pad = [[0, 0], [0, 0]], …
		{name: "WINDOW", attrs: []string{"window_strides", "padding", "lhs_dilation", "rhs_dilation", "window_reversal"}, fits: fitsWindow, print: printWindow, parse: parseWindow},

		// Terminators, and ops with regions.
		// {a = 1 : i64} %0, %1 : types
		{name: "RETURNED", print: printReturned, parse: parseReturned},
		// (%0 init: %1) applies stablehlo.add across dimensions = [1] : …, or with
		// the body written out
		{name: "REDUCE", attrs: []string{"dimensions"}, region: true, fits: fitsReduce, print: printReduce, parse: parseReduce},
		// (%arg0 = %0) : types cond {…} do {…}
		{name: "WHILE", region: true, fits: fitsWhile, print: printWhile, parse: parseWhile},
		// (%arg0: type) {…}
		{name: "BODY", region: true, fits: fitsBody, print: printBody, parse: parseBody},
	}
}
