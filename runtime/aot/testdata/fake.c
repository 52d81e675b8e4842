// A plugin that misbehaves when it is loaded, as $FAKE_PLUGIN says.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const void* GetPjrtApi(void) {
  const char* what = getenv("FAKE_PLUGIN");
  if (strcmp(what, "abort") == 0) {
    fprintf(stderr, "F0000 fake.c: a fault of the fake plugin\n");
    abort();
  }
  if (strcmp(what, "wait") == 0) sleep(600);
  return NULL;
}
