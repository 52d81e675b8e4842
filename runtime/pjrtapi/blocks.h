// Large blocks of memory that a plugin gives back are kept for its next run.

#include <stdbool.h>
#include <stddef.h>

// keepBlocks has the library that holds the address inside take aligned blocks of a mebibyte and
// more from those that it gave back, of which at most limit bytes are kept in this process. It
// returns false where that cannot be done. It is not called for one library by two threads at
// once.
bool keepBlocks(const void* inside, size_t limit);
