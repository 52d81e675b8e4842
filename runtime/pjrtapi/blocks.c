// What malloc does not keep, whatever its thresholds: glibc gives each thread an arena that
// consists of heaps of 64 MiB, so that a larger block comes from the system and goes back to it.
// XLA on CPUs takes the temporary values of a run as one block, and the system clears each page
// of it for each run.
//
// The plugin's references to aligned_alloc and posix_memalign, and to free and realloc, lead to the
// functions of this file; those of other libraries stay. Who has a large block of the plugin's gives
// it back through the plugin.

#define _GNU_SOURCE
#include "blocks.h"

#include <stdlib.h>  // says whether this is glibc

#if defined(__linux__) && defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
  LARGE = 1 << 20,      // the smallest block that is kept
  ALIGNMENT = 2 << 20,  // of these blocks: that of a huge page, by which give knows them quickly
};

typedef struct {
  char* start;
  size_t bytes;
  size_t idle;  // when it was given back, counted in blocks; 0 while it is in use
} Block;

static struct {
  pthread_mutex_t mutex;
  Block* blocks;
  size_t count, capacity;
  size_t idle, limit;  // bytes
  size_t given;        // blocks that were given back
} kept = {.mutex = PTHREAD_MUTEX_INITIALIZER};

// fitting returns the smallest idle block for so many bytes, none that is twice as large.
static Block* fitting(size_t bytes) {
  Block* best = NULL;
  for (Block* b = kept.blocks; b < kept.blocks + kept.count; b++)
    if (b->idle && b->bytes >= bytes && b->bytes / 2 < bytes && (best == NULL || b->bytes < best->bytes)) best = b;
  return best;
}

// unmap gives a block back to the system.
static void unmap(Block* b) {
  munmap(b->start, b->bytes);
  *b = kept.blocks[--kept.count];
}

static Block* oldest(void) {
  Block* found = NULL;
  for (Block* b = kept.blocks; b < kept.blocks + kept.count; b++)
    if (b->idle && (found == NULL || b->idle < found->idle)) found = b;
  return found;
}

// keepAtMost gives idle blocks back to the system while there are more bytes of them.
static void keepAtMost(size_t bytes) {
  while (kept.idle > bytes) {
    Block* old = oldest();
    kept.idle -= old->bytes;
    unmap(old);
  }
}

static void* map(size_t bytes) { return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }

// mapped adds a block of so many bytes that the system gives, which gets idle ones back if it
// has none.
static Block* mapped(size_t bytes) {
  if (kept.count == kept.capacity) {
    size_t capacity = kept.capacity ? 2 * kept.capacity : 64;
    Block* blocks = realloc(kept.blocks, capacity * sizeof *blocks);
    if (blocks == NULL) return NULL;
    kept.blocks = blocks;
    kept.capacity = capacity;
  }
  char* memory = map(bytes + ALIGNMENT);
  if (memory == MAP_FAILED) {
    keepAtMost(0);
    memory = map(bytes + ALIGNMENT);
  }
  if (memory == MAP_FAILED) return NULL;
  size_t before = -(uintptr_t)memory % ALIGNMENT;
  if (before) munmap(memory, before);
  munmap(memory + before + bytes, ALIGNMENT - before);
  madvise(memory + before, bytes, MADV_HUGEPAGE);
  Block* b = &kept.blocks[kept.count++];
  *b = (Block){memory + before, bytes, 0};
  return b;
}

// take returns a large block, NULL where there is none.
static void* take(size_t alignment, size_t bytes) {
  size_t page = sysconf(_SC_PAGESIZE);
  if (bytes < LARGE || alignment > ALIGNMENT || bytes > SIZE_MAX / 2) return NULL;
  bytes = (bytes + page - 1) / page * page;
  pthread_mutex_lock(&kept.mutex);
  Block* b = fitting(bytes);
  if (b != NULL) kept.idle -= b->bytes;
  else b = mapped(bytes);
  if (b != NULL) b->idle = 0;
  void* start = b == NULL ? NULL : b->start;
  pthread_mutex_unlock(&kept.mutex);
  return start;
}

// isAligned reports whether a block of ours may start there.
static bool isAligned(const void* start) { return start != NULL && (uintptr_t)start % ALIGNMENT == 0; }

// find returns the block in use that starts there.
static Block* find(const void* start) {
  for (Block* b = kept.blocks; b < kept.blocks + kept.count; b++)
    if (b->start == start && !b->idle) return b;
  return NULL;
}

// give takes a block back, and returns whether it is one of those.
static bool give(void* start) {
  if (!isAligned(start)) return false;
  pthread_mutex_lock(&kept.mutex);
  Block* b = find(start);
  if (b != NULL) {
    b->idle = ++kept.given;
    kept.idle += b->bytes;
    keepAtMost(kept.limit);
  }
  pthread_mutex_unlock(&kept.mutex);
  return b != NULL;
}

// sizeOf returns the size of a block in use, 0 where it is none of those.
static size_t sizeOf(const void* start) {
  if (!isAligned(start)) return 0;
  pthread_mutex_lock(&kept.mutex);
  Block* b = find(start);
  size_t bytes = b == NULL ? 0 : b->bytes;
  pthread_mutex_unlock(&kept.mutex);
  return bytes;
}

// These four stand for malloc's functions of their names.

static void* plugin_aligned_alloc(size_t alignment, size_t bytes) {
  void* block = take(alignment, bytes);
  return block != NULL ? block : aligned_alloc(alignment, bytes);
}

static int plugin_posix_memalign(void** out, size_t alignment, size_t bytes) {
  void* block = take(alignment, bytes);
  if (block == NULL) return posix_memalign(out, alignment, bytes);
  *out = block;
  return 0;
}

static void plugin_free(void* start) {
  int before = errno;
  if (!give(start)) free(start);
  errno = before;
}

static void* plugin_realloc(void* start, size_t bytes) {
  size_t have = sizeOf(start);
  if (have == 0) return realloc(start, bytes);
  void* other = malloc(bytes);
  if (other == NULL) return NULL;
  memcpy(other, start, have < bytes ? have : bytes);
  give(start);
  return other;
}

// Function is one of malloc's and what stands for it.
typedef struct {
  const char* name;
  void* function;
} Function;

static const Function freeing[] = {{"free", plugin_free}, {"realloc", plugin_realloc}};
static const Function taking[] = {{"aligned_alloc", plugin_aligned_alloc}, {"posix_memalign", plugin_posix_memalign}};

#if defined(__x86_64__)
static bool isAddress(size_t type) { return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT || type == R_X86_64_64; }
#else
static bool isAddress(size_t type) { return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT || type == R_AARCH64_ABS64; }
#endif

// Library is what the loader knows of the library that is looked for.
typedef struct {
  uintptr_t inside;
  ElfW(Addr) base;
  const ElfW(Dyn) * dynamic;
  ElfW(Addr) constant, constantEnd;  // pages that the loader has made read-only: glibc leaves the last, partial one
} Library;

// pageOf returns the start of the page that holds an address.
static uintptr_t pageOf(uintptr_t at) { return at & -(uintptr_t)sysconf(_SC_PAGESIZE); }

static int isLibrary(struct dl_phdr_info* info, size_t size, void* user) {
  Library* l = user;
  bool found = false;
  Library this = {.inside = l->inside, .base = info->dlpi_addr};
  for (const ElfW(Phdr)* p = info->dlpi_phdr; p < info->dlpi_phdr + info->dlpi_phnum; p++) {
    ElfW(Addr) start = info->dlpi_addr + p->p_vaddr;
    if (p->p_type == PT_LOAD && l->inside - start < p->p_memsz) found = true;
    if (p->p_type == PT_DYNAMIC) this.dynamic = (const ElfW(Dyn)*)start;
    if (p->p_type == PT_GNU_RELRO) {
      this.constant = pageOf(start);
      this.constantEnd = pageOf(start + p->p_memsz);
    }
  }
  if (found) *l = this;
  return found;
}

// value returns what the library's dynamic section says of tag.
static ElfW(Addr) value(const Library* l, ElfW(Sxword) tag) {
  for (const ElfW(Dyn)* d = l->dynamic; d->d_tag != DT_NULL; d++)
    if (d->d_tag == tag) return d->d_un.d_ptr;
  return 0;
}

// table returns where tag's table is: the loader may have added the base already.
static const void* table(const Library* l, ElfW(Sxword) tag) {
  ElfW(Addr) at = value(l, tag);
  return at == 0 ? NULL : (const void*)(at < l->base ? at + l->base : at);
}

// point has a reference lead to function.
static bool point(const Library* l, ElfW(Addr) at, void* function) {
  size_t page = sysconf(_SC_PAGESIZE);
  void* start = (void*)pageOf(at);
  bool constant = at >= l->constant && at < l->constantEnd;
  if (constant && mprotect(start, page, PROT_READ | PROT_WRITE) != 0) return false;
  *(void**)at = function;
  if (constant) mprotect(start, page, PROT_READ);
  return true;
}

// pointTo has the references of one of the library's tables lead to these two functions.
static bool pointTo(const Library* l, const Function functions[2], ElfW(Sxword) tag, ElfW(Sxword) size) {
  const ElfW(Sym)* symbols = table(l, DT_SYMTAB);
  const char* names = table(l, DT_STRTAB);
  const ElfW(Rela)* first = table(l, tag);
  for (const ElfW(Rela)* r = first; r < first + value(l, size) / sizeof *r; r++) {
    if (ELF64_R_SYM(r->r_info) == 0 || !isAddress(ELF64_R_TYPE(r->r_info))) continue;
    const char* name = names + symbols[ELF64_R_SYM(r->r_info)].st_name;
    for (const Function* f = functions; f < functions + 2; f++)
      if (strcmp(name, f->name) == 0 && !point(l, l->base + r->r_offset, f->function)) return false;
  }
  return true;
}

bool keepBlocks(const void* inside, size_t limit) {
  pthread_mutex_lock(&kept.mutex);
  kept.limit = limit;
  pthread_mutex_unlock(&kept.mutex);
  Library l = {.inside = (uintptr_t)inside};
  // First what frees, so that no block from here comes to the C library's free.
  return dl_iterate_phdr(isLibrary, &l) && l.dynamic != NULL && pointTo(&l, freeing, DT_RELA, DT_RELASZ) &&
         pointTo(&l, freeing, DT_JMPREL, DT_PLTRELSZ) && pointTo(&l, taking, DT_RELA, DT_RELASZ) &&
         pointTo(&l, taking, DT_JMPREL, DT_PLTRELSZ);
}

#else

bool keepBlocks(const void* inside, size_t limit) { return false; }

#endif
