// The part of PJRT's interface (xla/pjrt/c/pjrt_c_api.h) that this package uses.
// Fields keep XLA's order; those of no use here are pointers without their types.

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
} BufferArgs;  // PJRT_Client_BufferFromHostBuffer_Args, of which more follows

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
} ViewArgs;  // PJRT_Client_CreateViewOfDeviceBuffer_Args, of which more follows

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
} Count;  // two fields of what follows

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
} ExecuteOptions;  // PJRT_ExecuteOptions, of which more follows

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
  void* of_devices[4];
  Error* (*device_memory)(MemoryArgs*);
  void* of_memories[5];
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
  void* of_buffers[18];
  void* of_streams[5];
  void* of_topologies[7];
  void* compile;
  void* of_outputs[2];
  void* copy_to_memory;
  Error* (*client_create_view)(ViewArgs*);
} Api;  // PJRT_Api, of which more follows

// SLOTS is the number of plugins that a process can load.
enum { SLOTS = 8 };

// wrap loads a plugin and returns in table a copy of its table whose clients are made,
// programs compiled and executed, and buffers filled and destroyed, by way of this package. It
// returns a message, which the caller frees, or NULL.
char* wrap(const char* path, int slot, Api** table);

// setPrepare makes prepare change the arguments (PJRT_Client_Create_Args) of the clients
// that this thread makes; NULL ends that.
typedef void (*Prepare)(void* create_args, uintptr_t user);
void setPrepare(Prepare prepare, uintptr_t user);

// madeClient returns the client that this thread has made last.
void* madeClient(void);

// setCompiler makes Go's compiler of that handle compile what this thread compiles; 0
// ends that.
void setCompiler(uintptr_t handle);

// setCopying says whether the transfers of this thread have copied their data when they return.
enum { IMMUTABLE_ONLY_DURING_CALL = 0 };  // of PJRT_HostBufferSemantics
void setCopying(int copying);

// newShared allocates memory of a tensor that several devices hold, with one user; dropShared
// ends a use, and frees the memory with the last one.
void* newShared(size_t bytes);
void dropShared(void* data);

// setShared says that the buffers which this thread makes as views of memory are users
// of it, which is newShared's.
void setShared(int shared);

// Started is an execution that was started and whose end awaitStarted has not seen.
typedef struct Started Started;

// setStarting makes the executions of this thread return when they are started, with a launch id
// that is not 0, which the plugin is told if tell says so; 0 ends that. started returns the last
// one, or NULL if it failed. Buffers that the thread destroys after its start, which were donated
// to it, are destroyed when it has ended: the plugin would wait for that. Go's gospmdDeviceFailed
// is called with the launch id for each device that fails.
void setStarting(int launch_id, bool tell);
Started* started(void);

// haveEnded says whether an execution has ended on all devices.
bool haveEnded(const Started* s);

// awaitStarted returns when an execution has ended on all devices, and frees it.
// It returns a message, which the caller frees, where a device has failed.
char* awaitStarted(Started* s);

// takeMessage returns the text of an error, which the caller frees, and destroys it.
char* takeMessage(const Api* api, Error* error);

// devicesOf and kindOf return messages, which the caller frees, where the plugin fails.
// memoryOf returns the bytes of a device's memory, 0 where the plugin does not say.
char* devicesOf(const Api* api, DevicesArgs* args);
char* kindOf(const Api* api, void* device, KindArgs* out);
int64_t memoryOf(const Api* api, void* device);

// The plugin's functions, which are absent from some plugins: these return then a message,
// which the caller frees, as they do where the plugin fails.
Error* compileWith(const Api* api, CompileArgs* args);
char* serialize(const Api* api, Loaded* loaded, SerializeArgs* out);
void freeSerialized(SerializeArgs* args);
char* deserialize(const Api* api, void* client, const char* bytes, size_t size, Loaded** out);

#endif
