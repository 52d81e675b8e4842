// A plugin that takes handlers and does nothing with them, as XLA's does with one
// that it finds at fault: it reports no error.

#include "../handler.h"

static void* ignore(void* args) { return NULL; }

static struct {
  Extension base;
  void *type_register, *user_data_add;
  void* (*register_handler)(void*);
} ffi = {{sizeof ffi, 5, NULL}, NULL, NULL, ignore};

static struct {
  size_t struct_size;
  void* extension_start;
} api = {sizeof api, &ffi};

const void* GetPjrtApi(void) { return &api; }
