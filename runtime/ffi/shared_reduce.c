//go:build cgo

// The arithmetic of reductions.

#include <stdlib.h>
#include <string.h>

#include "shared.h"

#define LOOP(T, expression)                 \
  do {                                      \
    T* restrict a = into;                   \
    const T* restrict b = from;             \
    for (int64_t i = 0; i < n; i++) {       \
      T x = a[i], y = b[i];                 \
      a[i] = (T)(expression);               \
    }                                       \
  } while (0)

#define ARITHMETIC(name, T)                                                            \
  static void name(void* into, const void* from, int64_t n, Reduction r) {             \
    switch (r) {                                                                       \
      case ADD: LOOP(T, x + y); break;                                                 \
      case MULTIPLY: LOOP(T, x * y); break;                                            \
      case MINIMUM: LOOP(T, y < x ? y : x); break;                                     \
      default: LOOP(T, y > x ? y : x);                                                 \
    }                                                                                  \
  }

// Integers are added and multiplied as unsigned ones, so that overflows wrap around.
#define INTEGER(name, T, U)                                                            \
  static void name(void* into, const void* from, int64_t n, Reduction r) {             \
    switch (r) {                                                                       \
      case ADD: LOOP(U, x + y); break;                                                 \
      case MULTIPLY: LOOP(U, x * y); break;                                            \
      case MINIMUM: LOOP(T, y < x ? y : x); break;                                     \
      case MAXIMUM: LOOP(T, y > x ? y : x); break;                                     \
      case AND: LOOP(U, x & y); break;                                                 \
      default: LOOP(U, x | y);                                                         \
    }                                                                                  \
  }

ARITHMETIC(reduceF32, float)
ARITHMETIC(reduceF64, double)
INTEGER(reduceS8, int8_t, uint8_t)
INTEGER(reduceS16, int16_t, uint16_t)
INTEGER(reduceS32, int32_t, uint32_t)
INTEGER(reduceS64, int64_t, uint64_t)
INTEGER(reduceU8, uint8_t, uint8_t)
INTEGER(reduceU16, uint16_t, uint16_t)
INTEGER(reduceU32, uint32_t, uint32_t)
INTEGER(reduceU64, uint64_t, uint64_t)

typedef void (*Reduce)(void*, const void*, int64_t, Reduction);

// kernels are indexed by XLA's numbers of element types. Booleans are integers of one byte.
static const Reduce kernels[] = {[1] = reduceU8, [2] = reduceS8, [3] = reduceS16, [4] = reduceS32, [5] = reduceS64, [6] = reduceU8,
                                 [7] = reduceU16, [8] = reduceU32, [9] = reduceU64, [11] = reduceF32, [12] = reduceF64};

bool reduces(int dtype) { return dtype >= 0 && dtype < (int)(sizeof kernels / sizeof *kernels) && kernels[dtype]; }

void reduceInto(void* into, const void* from, int64_t n, int dtype, Reduction r) { kernels[dtype](into, from, n, r); }
