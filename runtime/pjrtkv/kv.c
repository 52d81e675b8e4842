// The callbacks that PJRT_Client_Create gets: each calls Go and turns what it returns into
// PJRT's results.

#include "kv.h"

#include <stdlib.h>

#include "_cgo_export.h"

// answer turns what a callback of Go's returned into an error of the plugin's.
static Error* answer(MakeError* make_error, struct gospmdGet_return r, char** value, size_t* value_size) {
  if (r.r0 != 0) {
    Error* error = (*make_error)(r.r0, r.r1, r.r2);
    free(r.r1);
    return error;
  }
  *value = r.r1;
  *value_size = r.r2;
  return NULL;
}

static void deleteValue(char* value) { free(value); }

static Error* get(GetArgs* a) {
  a->delete_value = deleteValue;
  return answer(a->make_error, gospmdGet((uintptr_t)a->user_arg, (char*)a->key, a->key_size, a->timeout_in_ms), &a->value, &a->value_size);
}

static Error* tryGet(TryGetArgs* a) {
  a->delete_value = deleteValue;
  return answer(a->make_error, gospmdGet((uintptr_t)a->user_arg, (char*)a->key, a->key_size, -1), &a->value, &a->value_size);
}

static Error* put(PutArgs* a) {
  struct gospmdPut_return r = gospmdPut((uintptr_t)a->user_arg, (char*)a->key, a->key_size, (char*)a->value, a->value_size);
  if (r.r0 == 0) return NULL;
  Error* error = (*a->make_error)(r.r0, r.r1, r.r2);
  free(r.r1);
  return error;
}

void addCallbacks(CreateArgs* a, uintptr_t user) {
  a->get = get;
  a->get_user_arg = (void*)user;
  a->put = put;
  a->put_user_arg = (void*)user;
  if (a->struct_size >= offsetof(CreateArgs, try_get_user_arg) + sizeof(void*)) {
    a->try_get = tryGet;
    a->try_get_user_arg = (void*)user;
  }
}
