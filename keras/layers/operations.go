package layers

// This file defines the table of operations: Keras' class and module of each, and the
// function that computes it.

import (
	"math"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/activations"
	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
)

// operation is a row.
type operation struct {
	module string
	call   func(o operands) *graph.Node
	named  string                         // the argument after the tensors that Keras gives by name
	many   func(o operands) []*graph.Node // instead of call, for several results
}

// Keras' modules of operations.
const (
	opsNumpy  = "keras.src.ops.numpy"
	opsNN     = "keras.src.ops.nn"
	opsMath   = "keras.src.ops.math"
	opsLinalg = "keras.src.ops.linalg"
	opsCore   = "keras.src.ops.core"
	opsImage  = "keras.src.ops.image"
)

var operations = map[string]operation{
	"Cbrt":       {module: opsNumpy, call: unary(cbrt)},
	"Deg2rad":    {module: opsNumpy, call: unary(scaledBy(math.Pi / 180))},
	"Erfc":       {module: opsMath, call: unary(erfc)},
	"Heaviside":  {module: opsNumpy, call: binary(heaviside)},
	"Hypot":      {module: opsNumpy, call: binary(hypot)},
	"Isneginf":   {module: opsNumpy, call: unary(infinite(-1))},
	"Isposinf":   {module: opsNumpy, call: unary(infinite(1))},
	"Logaddexp2": {module: opsNumpy, call: binary(logaddexp2)},
	"Rad2deg":    {module: opsNumpy, call: unary(scaledBy(180 / math.Pi))},
	"Sinc":       {module: opsNumpy, call: unary(sinc)},

	"Amax":       {module: opsNumpy, call: func(o operands) *graph.Node { return o.extreme(1) }},
	"Amin":       {module: opsNumpy, call: func(o operands) *graph.Node { return o.extreme(-1) }},
	"Diagonal":   {module: opsNumpy, call: diagonal},
	"Inner":      {module: opsNumpy, call: inner},
	"Nanmean":    {module: opsNumpy, call: meanWithoutNaN},
	"Nansum":     {module: opsNumpy, call: reduced(graph.ReduceSum, withoutNaN)},
	"Ptp":        {module: opsNumpy, call: spreadOf},
	"SegmentSum": {module: opsMath, call: segmentSum},
	"Trace":      {module: opsNumpy, call: traceOf},
	"Vdot":       {module: opsNumpy, call: vdot},

	"FFT":  {module: opsMath, many: transformed},
	"RFFT": {module: opsMath, many: realTransformed},
	"STFT": {module: opsMath, many: shortTimeTransformed},

	"AffineTransform":      {module: opsImage, call: affineTransform},
	"MapCoordinates":       {module: opsImage, call: mapCoordinates},
	"PerspectiveTransform": {module: opsImage, call: perspectiveTransform},

	"Add":         {module: opsNumpy, call: binary(graph.Add)},
	"Arctan2":     {module: opsNumpy, call: binary(arctan2)},
	"Divide":      {module: opsNumpy, call: binary(quotient)},
	"FloorDivide": {module: opsNumpy, call: binary(floorDivide)},
	"Logaddexp":   {module: opsNumpy, call: binary(logaddexp)},
	"Maximum":     {module: opsNumpy, call: binary(greater)},
	"Minimum":     {module: opsNumpy, call: binary(smaller)},
	"Mod":         {module: opsNumpy, call: binary(modulo)},
	"Multiply":    {module: opsNumpy, call: binary(graph.Mul)},
	"Power":       {module: opsNumpy, call: binary(power)},
	"Subtract":    {module: opsNumpy, call: binary(graph.Sub)},
	"TrueDivide":  {module: opsNumpy, call: binary(quotient)},

	"Equal":        {module: opsNumpy, call: binary(graph.Equal)},
	"Greater":      {module: opsNumpy, call: binary(graph.GreaterThan)},
	"GreaterEqual": {module: opsNumpy, call: binary(graph.GreaterOrEqual)},
	"Isfinite":     {module: opsNumpy, call: unary(graph.IsFinite)},
	"Isinf":        {module: opsNumpy, call: unary(isInf)},
	"Isnan":        {module: opsNumpy, call: unary(graph.IsNaN)},
	"Less":         {module: opsNumpy, call: binary(graph.LessThan)},
	"LessEqual":    {module: opsNumpy, call: binary(graph.LessOrEqual)},
	"LogicalAnd":   {module: opsNumpy, call: logical(graph.LogicalAnd)},
	"LogicalNot":   {module: opsNumpy, call: func(o operands) *graph.Node { return graph.LogicalNot(truth(o.tensor(0))) }},
	"LogicalOr":    {module: opsNumpy, call: logical(graph.LogicalOr)},
	"LogicalXor":   {module: opsNumpy, call: logical(graph.LogicalXor)},
	"NotEqual":     {module: opsNumpy, call: binary(graph.NotEqual)},

	"Absolute":     {module: opsNumpy, call: alike(graph.Abs)},
	"Arccos":       {module: opsNumpy, call: unary(arccos)},
	"Arccosh":      {module: opsNumpy, call: unary(arccosh)},
	"Arcsin":       {module: opsNumpy, call: unary(arcsin)},
	"Arcsinh":      {module: opsNumpy, call: unary(arcsinh)},
	"Arctan":       {module: opsNumpy, call: unary(arctan)},
	"Arctanh":      {module: opsNumpy, call: unary(arctanh)},
	"Ceil":         {module: opsNumpy, call: unary(graph.Ceil)},
	"Cos":          {module: opsNumpy, call: unary(graph.Cos)},
	"Cosh":         {module: opsNumpy, call: unary(cosh)},
	"Erf":          {module: opsMath, call: unary(graph.Erf)},
	"Erfinv":       {module: opsMath, call: unary(erfinv)},
	"Exp":          {module: opsNumpy, call: unary(graph.Exp)},
	"Exp2":         {module: opsNumpy, call: unary(exp2)},
	"Expm1":        {module: opsNumpy, call: unary(graph.Expm1)},
	"Floor":        {module: opsNumpy, call: unary(graph.Floor)},
	"FullLike":     {module: opsNumpy, call: fullLike},
	"Log":          {module: opsNumpy, call: unary(graph.Log)},
	"Log10":        {module: opsNumpy, call: unary(logOf(math.Ln10))},
	"Log1p":        {module: opsNumpy, call: unary(graph.Log1P)},
	"Log2":         {module: opsNumpy, call: unary(logOf(math.Ln2))},
	"NanToNum":     {module: opsNumpy, call: nanToNum},
	"Negative":     {module: opsNumpy, call: alike(graph.Neg)},
	"OnesLike":     {module: opsNumpy, call: alike(graph.OnesLike)},
	"Reciprocal":   {module: opsNumpy, call: unary(graph.Reciprocal)},
	"Round":        {module: opsNumpy, call: round},
	"Rsqrt":        {module: opsMath, call: unary(graph.Rsqrt)},
	"Sign":         {module: opsNumpy, call: alike(graph.Sign)},
	"Sin":          {module: opsNumpy, call: unary(graph.Sin)},
	"Sinh":         {module: opsNumpy, call: unary(sinh)},
	"Sqrt":         {module: opsNumpy, call: unary(graph.Sqrt)},
	"Square":       {module: opsNumpy, call: alike(graph.Square)},
	"StopGradient": {module: opsCore, call: alike(graph.StopGradient)},
	"Tan":          {module: opsNumpy, call: unary(tan)},
	"Tanh":         {module: opsNumpy, call: unary(graph.Tanh)},
	"Trunc":        {module: opsNumpy, call: unary(trunc)},
	"ZerosLike":    {module: opsNumpy, call: alike(graph.ZerosLike)},

	"Celu":        {module: opsNN, call: activatedWith("alpha", activations.CeluWith)},
	"Elu":         {module: opsNN, call: activatedWith("alpha", activations.EluWith)},
	"Gelu":        {module: opsNN, call: gelu},
	"Glu":         {module: opsNN, call: glu},
	"HardShrink":  {module: opsNN, call: activatedWith("threshold", activations.HardShrinkWith)},
	"HardSigmoid": {module: opsNN, call: activated("hard_sigmoid")},
	"HardSilu":    {module: opsNN, call: activated("hard_silu")},
	"HardTanh":    {module: opsNN, call: activated("hard_tanh")},
	"LeakyRelu":   {module: opsNN, call: activatedWith("negative_slope", activations.LeakyReluWith)},
	"LogSigmoid":  {module: opsNN, call: activated("log_sigmoid")},
	"LogSoftmax":  {module: opsNN, call: logSoftmaxOf},
	"Relu":        {module: opsNN, call: activated("relu")},
	"Relu6":       {module: opsNN, call: activated("relu6")},
	"Selu":        {module: opsNN, call: activated("selu")},
	"Sigmoid":     {module: opsNN, call: activated("sigmoid")},
	"Silu":        {module: opsNN, call: activated("silu")},
	"SoftShrink":  {module: opsNN, call: activatedWith("threshold", activations.SoftShrinkWith)},
	"Softmax":     {module: opsNN, call: softmaxOf},
	"Softplus":    {module: opsNN, call: activated("softplus")},
	"Softsign":    {module: opsNN, call: activated("softsign")},
	"SparsePlus":  {module: opsNN, call: activated("sparse_plus")},
	"Sparsemax":   {module: opsNN, call: activated("sparsemax")},
	"Squareplus":  {module: opsNN, call: activatedWith("b", activations.SquareplusWith)},
	"TanhShrink":  {module: opsNN, call: activated("tanh_shrink")},
	"Threshold":   {module: opsNN, call: threshold},

	"All":          {module: opsNumpy, call: reduced(graph.ReduceLogicalAnd, truth)},
	"Any":          {module: opsNumpy, call: reduced(graph.ReduceLogicalOr, truth)},
	"Argmax":       {module: opsNumpy, call: extremeAt(graph.ArgMax)},
	"Argmin":       {module: opsNumpy, call: extremeAt(graph.ArgMin)},
	"Argsort":      {module: opsNumpy, call: argsort},
	"Average":      {module: opsNumpy, call: average, named: "weights"},
	"CountNonzero": {module: opsNumpy, call: reduced(graph.ReduceSum, func(x *graph.Node) *graph.Node { return numbers(truth(x)) })},
	"Cumprod":      {module: opsNumpy, call: cumulative(graph.Mul, 1)},
	"Cumsum":       {module: opsNumpy, call: cumulative(graph.Add, 0)},
	"Diff":         {module: opsNumpy, call: differences},
	"Logsumexp":    {module: opsMath, call: logsumexp},
	"Max":          {module: opsNumpy, call: func(o operands) *graph.Node { return o.extreme(1) }},
	"Mean":         {module: opsNumpy, call: reduced(graph.ReduceMean, fractions)},
	"Min":          {module: opsNumpy, call: func(o operands) *graph.Node { return o.extreme(-1) }},
	"Norm":         {module: opsLinalg, call: norm},
	"Normalize":    {module: opsNN, call: normalized},
	"Prod":         {module: opsNumpy, call: reduced(graph.ReduceMultiply, numbers)},
	"Sort":         {module: opsNumpy, call: sorted},
	"Std":          {module: opsNumpy, call: reduced(deviation, fractions)},
	"Sum":          {module: opsNumpy, call: reduced(graph.ReduceSum, numbers)},
	"TopK":         {module: opsMath, many: topK},
	"Var":          {module: opsNumpy, call: reduced(variance, fractions)},

	"Dot":       {module: opsNumpy, call: dot},
	"Einsum":    {module: opsNumpy, call: einsumOf},
	"Matmul":    {module: opsNumpy, call: matmul},
	"Outer":     {module: opsNumpy, call: outer},
	"Tensordot": {module: opsNumpy, call: tensordot},

	"BroadcastTo":    {module: opsNumpy, call: broadcastTo},
	"Cast":           {module: opsCore, call: castTo},
	"Clip":           {module: opsNumpy, call: clipped},
	"Concatenate":    {module: opsNumpy, call: concatenated},
	"ExpandDims":     {module: opsNumpy, call: expanded},
	"Flip":           {module: opsNumpy, call: flip},
	"GetItem":        {module: opsNumpy, call: getItem},
	"Hstack":         {module: opsNumpy, call: func(o operands) *graph.Node { return joined(o.list(0), 1) }},
	"Moveaxis":       {module: opsNumpy, call: moveAxis},
	"MultiHot":       {module: opsNN, call: multiHot},
	"OneHot":         {module: opsNN, call: oneHot},
	"Pad":            {module: opsNumpy, call: pad, named: "constant_values"},
	"Ravel":          {module: opsNumpy, call: func(o operands) *graph.Node { return graph.Reshape(o.tensor(0), -1) }},
	"Repeat":         {module: opsNumpy, call: repeated},
	"Reshape":        {module: opsNumpy, call: reshaped},
	"Roll":           {module: opsNumpy, call: roll},
	"Split":          {module: opsNumpy, many: split},
	"Squeeze":        {module: opsNumpy, call: squeezed},
	"Stack":          {module: opsNumpy, call: stacked},
	"Swapaxes":       {module: opsNumpy, call: swapAxes},
	"Take":           {module: opsNumpy, call: take},
	"TakeAlongAxis":  {module: opsNumpy, call: takeAlongAxis},
	"Tile":           {module: opsNumpy, call: tiled},
	"Transpose":      {module: opsNumpy, call: transposed},
	"Tril":           {module: opsNumpy, call: triangle(graph.GreaterOrEqual)},
	"Triu":           {module: opsNumpy, call: triangle(graph.LessOrEqual)},
	"Unstack":        {module: opsCore, many: unstack},
	"Vstack":         {module: opsNumpy, call: func(o operands) *graph.Node { return joined(o.list(0), 0) }},
	"GaussianBlur":   {module: opsImage, call: gaussianBlur},
	"HSVToRGB":       {module: opsImage, call: ofImages(pixels.HSVToRGB)},
	"RGBToGrayscale": {module: opsImage, call: ofImages(pixels.Grayscale)},
	"RGBToHSV":       {module: opsImage, call: ofImages(pixels.RGBToHSV)},
	"Where":          {module: opsNumpy, call: where},
}
