// A PJRT plugin that ends its process when it is loaded (if LOADING is defined), or when it makes a
// client. It is compiled with go-xla's header.

#include <stdio.h>
#include <stdlib.h>

#include "pjrt_c_api.h"

static void end(void) {
  fprintf(stderr, "this plugin has had enough\n");
  abort();
}

#ifdef LOADING
__attribute__((constructor)) static void constructor(void) { end(); }
#endif

static PJRT_Error* initialize(PJRT_Plugin_Initialize_Args* a) { return NULL; }

static PJRT_Error* attributes(PJRT_Plugin_Attributes_Args* a) {
  static const int64_t version[] = {1, 2, 3};
  static PJRT_NamedValue values[2] = {
      {.struct_size = sizeof(PJRT_NamedValue), .name = "xla_version", .name_size = 11, .type = PJRT_NamedValue_kInt64, .int64_value = 2, .value_size = 1},
      {.struct_size = sizeof(PJRT_NamedValue), .name = "stablehlo_current_version", .name_size = 25, .type = PJRT_NamedValue_kInt64List, .int64_array_value = version, .value_size = 3},
  };
  a->attributes = values;
  a->num_attributes = 2;
  return NULL;
}

static PJRT_Error* create(PJRT_Client_Create_Args* a) {
  end();
  return NULL;
}

const PJRT_Api* GetPjrtApi(void) {
  static PJRT_Api api = {
      .struct_size = PJRT_Api_STRUCT_SIZE,
      .pjrt_api_version = {.struct_size = PJRT_Api_Version_STRUCT_SIZE, .major_version = 0, .minor_version = 104},
      .PJRT_Plugin_Initialize = initialize,
      .PJRT_Plugin_Attributes = attributes,
      .PJRT_Client_Create = create,
  };
  return &api;
}
