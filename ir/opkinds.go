package ir

// This file lists the op kinds, in the order of the op table.

// The op kinds. OpUnregistered stands for every op that is not in the table.
const (
	OpUnregistered OpKind = iota

	// Element-wise, one operand.

	OpAbs
	OpCbrt
	OpCeil
	OpCountLeadingZeros
	OpCosine
	OpExpM1
	OpFloor
	OpImag
	OpIsFinite
	OpLog1p
	OpNegate
	OpNot
	OpPopcnt
	OpReal
	OpRoundAFZ
	OpRoundEven
	OpSign
	OpExp
	OpLog
	OpLogistic
	OpRsqrt
	OpSine
	OpSqrt
	OpTan
	OpTanh
	OpConvert
	OpReducePrecision

	// Element-wise, of the CHLO dialect.

	OpAcos
	OpAcosh
	OpAsin
	OpAsinh
	OpAtan
	OpAtanh
	OpBesselI1e
	OpConj
	OpCosh
	OpDigamma
	OpErf
	OpErfc
	OpErfInv
	OpIsInf
	OpIsNegInf
	OpIsPosInf
	OpLgamma
	OpSinh
	OpSquare
	OpMulHi
	OpNextAfter
	OpPolygamma
	OpZeta

	// Element-wise, more operands.

	OpAdd
	OpAtan2
	OpAnd
	OpComplex
	OpDivide
	OpMaximum
	OpMinimum
	OpMultiply
	OpOr
	OpPower
	OpRemainder
	OpShiftLeft
	OpShiftRightArithmetic
	OpShiftRightLogical
	OpSubtract
	OpXor
	OpCompare
	OpClamp
	OpSelect
	OpMap

	// Making, shaping and moving data.

	OpConstant
	OpIota
	OpBroadcastInDim
	OpReshape
	OpTranspose
	OpBitcastConvert
	OpSlice
	OpPad
	OpConcatenate
	OpReverse
	OpDynamicSlice
	OpDynamicUpdateSlice
	OpGather
	OpScatter

	// Contractions, reductions, windows, sorting.

	OpDotGeneral
	OpDot
	OpConvolution
	OpReduce
	OpReduceWindow
	OpSelectAndScatter
	OpSort
	OpTopK

	// Random numbers, linear algebra, signal processing, batch normalization.

	OpRngBitGenerator
	OpRng
	OpCholesky
	OpTriangularSolve
	OpFFT
	OpBatchNormInference
	OpBatchNormTraining
	OpBatchNormGrad

	// Control flow, calls and ordering.

	OpWhile
	OpIf
	OpCase
	OpReturn
	OpCall
	OpComposite
	OpFuncReturn
	OpCustomCall
	OpOptimizationBarrier
	OpAfterAll
	OpCreateToken

	// StableHLO collectives.

	OpAllGather
	OpAllReduce
	OpAllToAll
	OpCollectiveBroadcast
	OpCollectivePermute
	OpReduceScatter
	OpCrossReplicaSum
	OpPartitionID
	OpReplicaID

	// Shardy's dialect.

	OpShardingConstraint
	OpReshard
	OpPropagationBarrier
	OpShardingGroup
	OpDataFlowEdge
	OpFuncDataFlowEdge
	OpManualComputation
	OpNamedComputation
	OpSdyReturn
	OpSdyConstant
	OpSdyAllGather
	OpSdyAllSlice
	OpSdyAllReduce
	OpSdyAllToAll
	OpSdyCollectivePermute
	OpSdyReduceScatter
	OpSdyReplicatedToUnreduced
	OpSdyShardedToUnreduced

	// The spmd dialect: collectives of the per-device program.

	OpSPMDAxisIndex
	OpSPMDAllReduce
	OpSPMDAllGather
	OpSPMDReduceScatter
	OpSPMDAllToAll
	OpSPMDPermute
	OpSPMDShift

	// NumOps is the number of kinds of ops, one more than the largest OpKind.
	NumOps
)
