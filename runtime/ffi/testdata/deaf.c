// A plugin that ignores the handlers that it is given, and reports no error. XLA's plugin does the
// same with a handler that it does not accept.

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
