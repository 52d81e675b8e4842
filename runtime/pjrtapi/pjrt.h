// The part of PJRT's interface (xla/pjrt/c/pjrt_c_api.h) that this package uses. The fields have
// XLA's order. Fields that are not used here are untyped pointers.

#ifndef GOSPMD_PJRTAPI_PJRT_H_
#define GOSPMD_PJRTAPI_PJRT_H_

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Error Error;            // PJRT_Error
typedef struct Executable Executable;  // PJRT_Executable
typedef struct Loaded Loaded;          // PJRT_LoadedExecutable
typedef struct Event Event;            // PJRT_Event

typedef struct Extension {
  size_t struct_size;
  int type;
  struct Extension* next;
} Extension;  // PJRT_Extension_Base

typedef struct {
  size_t struct_size;
  void* extension_start;
  Error* error;
} ErrorDestroyArgs;  // PJRT_Error_Destroy_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  const Error* error;
  const char* message;
  size_t message_size;
} ErrorMessageArgs;  // PJRT_Error_Message_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  Event* event;
} EventArgs;  // PJRT_Event_Await_Args and PJRT_Event_Destroy_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  Event* event;
  bool is_ready;
} IsReadyArgs;  // PJRT_Event_IsReady_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  Event* event;
  void (*callback)(Error* error, void* user);
  void* user;
} OnReadyArgs;  // PJRT_Event_OnReady_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  const void* options;
  size_t num_options;
  void* callbacks[4];
  void* client;
  void* more_callbacks[2];
} CreateArgs;  // PJRT_Client_Create_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  char* code;
  size_t code_size;
  const char* format;
  size_t format_size;
} Program;  // PJRT_Program

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* client;
  const Program* program;
  const char* compile_options;
  size_t compile_options_size;
  Loaded* executable;
} CompileArgs;  // PJRT_Client_Compile_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* client;
  const void* data;
  int type;
  const int64_t* dims;
  size_t num_dims;
  const int64_t* byte_strides;
  size_t num_byte_strides;
  int host_buffer_semantics;
} BufferArgs;  // PJRT_Client_BufferFromHostBuffer_Args; later fields are left out

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* client;
  void* data;
  const int64_t* dims;
  size_t num_dims;
  int type;
  void* layout;
  void* device;
  void (*on_delete_callback)(void* data, void* user);
  void* on_delete_callback_arg;
} ViewArgs;  // PJRT_Client_CreateViewOfDeviceBuffer_Args; later fields are left out

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* client;
  void* const* devices;
  size_t num_devices;
} DevicesArgs;  // PJRT_Client_AddressableDevices_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* device;
  void* description;
} DescriptionArgs;  // PJRT_Device_GetDescription_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* description;
  const char* kind;
  size_t kind_size;
} KindArgs;  // PJRT_DeviceDescription_Kind_Args

typedef struct {
  int64_t value;
  _Bool is_set;
} Count;  // stands for two unused fields

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* device;
  int64_t bytes_in_use;
  Count peak_bytes_in_use, num_allocs, largest_alloc_size, bytes_limit;
  Count others[6];
} MemoryArgs;  // PJRT_Device_MemoryStats_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  Executable* executable;
} ExecutableDestroyArgs;  // PJRT_Executable_Destroy_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  const Executable* executable;
  const char* bytes;
  size_t size;
  void* serialized;
  void (*delete_serialized)(void* serialized);
} SerializeArgs;  // PJRT_Executable_Serialize_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  Loaded* loaded;
  Executable* executable;
} GetExecutableArgs;  // PJRT_LoadedExecutable_GetExecutable_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* client;
  const char* bytes;
  size_t size;
  Loaded* loaded;
  const char* overridden_options;
  size_t overridden_options_size;
} DeserializeArgs;  // PJRT_Executable_DeserializeAndLoad_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* callbacks[2];
  size_t num_callbacks[2];
  int launch_id;
} ExecuteOptions;  // PJRT_ExecuteOptions; later fields are left out

typedef struct {
  size_t struct_size;
  void* extension_start;
  Loaded* executable;
  ExecuteOptions* options;
  void* argument_lists;
  size_t num_devices;
  size_t num_args;
  void* output_lists;
  Event** device_complete_events;
  void* execute_device;
} ExecuteArgs;  // PJRT_LoadedExecutable_Execute_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* buffer;
} BufferDestroyArgs;  // PJRT_Buffer_Destroy_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* buffer;
  void* device;
  void* copy;
} CopyToDeviceArgs;  // PJRT_Buffer_CopyToDevice_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* buffer;
  void* memory;
  void* copy;
} CopyToMemoryArgs;  // PJRT_Buffer_CopyToMemory_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* device;
  void* const* memories;
  size_t num_memories;
} MemoriesArgs;  // PJRT_Device_AddressableMemories_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* memory;
  const char* kind;
  size_t kind_size;
} MemoryKindArgs;  // PJRT_Memory_Kind_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  struct {
    size_t struct_size;
    void* extension_start;
    int major_version, minor_version;
  } version;
  void (*error_destroy)(ErrorDestroyArgs*);
  void (*error_message)(ErrorMessageArgs*);
  void* of_plugins[3];
  Error* (*event_destroy)(EventArgs*);
  Error* (*event_is_ready)(IsReadyArgs*);
  void* event_error;
  Error* (*event_await)(EventArgs*);
  Error* (*event_on_ready)(OnReadyArgs*);
  Error* (*client_create)(CreateArgs*);
  void* of_clients[5];
  Error* (*addressable_devices)(DevicesArgs*);
  void* of_addressable[3];
  Error* (*client_compile)(CompileArgs*);
  void* default_device_assignment;
  Error* (*client_buffer_from_host)(BufferArgs*);
  void* before_kind[3];
  Error* (*device_kind)(KindArgs*);
  void* of_descriptions[2];
  Error* (*device_description)(DescriptionArgs*);
  void* of_devices[2];
  Error* (*device_memories)(MemoriesArgs*);
  void* default_memory;
  Error* (*device_memory)(MemoryArgs*);
  void* memory_id;
  Error* (*memory_kind)(MemoryKindArgs*);
  void* of_memories[3];
  Error* (*executable_destroy)(ExecutableDestroyArgs*);
  void* of_executables[8];
  Error* (*executable_serialize)(SerializeArgs*);
  void* loaded_destroy;
  Error* (*get_executable)(GetExecutableArgs*);
  void* of_loaded[3];
  Error* (*loaded_execute)(ExecuteArgs*);
  Error* (*deserialize_and_load)(DeserializeArgs*);
  void* loaded_fingerprint;
  Error* (*buffer_destroy)(BufferDestroyArgs*);
  void* of_buffers[10];
  Error* (*copy_to_device)(CopyToDeviceArgs*);
  void* more_of_buffers[7];
  void* of_streams[5];
  void* of_topologies[7];
  void* compile;
  void* of_outputs[2];
  Error* (*copy_to_memory)(CopyToMemoryArgs*);
  Error* (*client_create_view)(ViewArgs*);
} Api;  // PJRT_Api; later fields are left out

// SLOTS is the largest number of plugins that a process can load.
enum { SLOTS = 8 };

// wrap loads a plugin. It returns a copy of its table in table, in which clients are made, programs
// compiled and executed, and buffers made and destroyed through functions of this package. It
// returns an error message, which the caller frees, or NULL.
char* wrap(const char* path, int slot, Api** table);

// setPrepare sets a function that changes the arguments (PJRT_Client_Create_Args) when this thread
// makes a client. NULL removes it.
typedef void (*Prepare)(void* create_args, uintptr_t user);
void setPrepare(Prepare prepare, uintptr_t user);

// madeClient returns the last client that this thread has made.
void* madeClient(void);

// setCompiler makes the Go compiler with that handle compile the programs that this thread
// compiles. 0 ends that.
void setCompiler(uintptr_t handle);

// setCopying says whether this thread's transfers to devices must have copied their data when they
// return.
enum { IMMUTABLE_ONLY_DURING_CALL = 0 };  // of PJRT_HostBufferSemantics
void setCopying(int copying);

// newShared allocates the memory of a tensor that several devices share. The memory has one user.
// dropShared removes a user, and frees the memory with the last one.
void* newShared(size_t bytes);
void dropShared(void* data);

// setShared makes buffers that this thread makes as views of memory users of that memory. newShared
// must have allocated it.
void setShared(int shared);

// setDestination makes copies of buffers to a device, which this thread makes, copies to the
// device's memory of that kind. NULL ends that. It must be a memory of the device (hasMemory).
void setDestination(const char* kind);

// hasMemory reports whether a device has a memory of that kind.
bool hasMemory(const Api* api, void* device, const char* kind);

// Started is an execution that was started. awaitStarted frees it.
typedef struct Started Started;

// setStarting makes the executions of this thread return as soon as they are started. launch_id is
// their launch id; 0 ends this mode. If tell is true, the plugin gets the launch id too. started
// returns the last execution, or NULL if it failed. If the thread then destroys buffers that were
// donated to the execution, they are destroyed at the end of the execution: the plugin would wait
// for that. Go's gospmdDeviceFailed is called with the launch id for each device that fails.
void setStarting(int launch_id, bool tell);
Started* started(void);

// haveEnded reports whether an execution has ended on all devices.
bool haveEnded(const Started* s);

// awaitStarted waits until an execution has ended on all devices, and frees it. If a device has
// failed, it returns a message, which the caller frees, or else NULL.
char* awaitStarted(Started* s);

// takeMessage destroys an error. It returns its text, which the caller frees.
char* takeMessage(const Api* api, Error* error);

// devicesOf and kindOf return NULL, or an error message, which the caller frees. memoryOf returns the
// memory of a device in bytes, 0 if the plugin does not say.
char* devicesOf(const Api* api, DevicesArgs* args);
char* kindOf(const Api* api, void* device, KindArgs* out);
int64_t memoryOf(const Api* api, void* device);

// The following functions call functions that some plugins lack. They return NULL, or an error
// message, which the caller frees, if the function is missing or fails.
Error* compileWith(const Api* api, CompileArgs* args);
char* serialize(const Api* api, Loaded* loaded, SerializeArgs* out);
void freeSerialized(SerializeArgs* args);
char* deserialize(const Api* api, void* client, const char* bytes, size_t size, Loaded** out);

#endif
