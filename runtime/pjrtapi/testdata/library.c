// A library that takes and gives memory, for blocks.c of this folder.

#include <stdlib.h>

void* take(size_t alignment, size_t bytes) { return aligned_alloc(alignment, bytes); }

void* takeAnother(size_t alignment, size_t bytes) {
  void* block;
  return posix_memalign(&block, alignment, bytes) == 0 ? block : NULL;
}

void* resize(void* block, size_t bytes) { return realloc(block, bytes); }

void give(void* block) { free(block); }

void (*const giveByPointer)(void*) = free;
