// The part of PJRT's interface (xla/pjrt/c/pjrt_c_api.h) that this package uses. The fields have
// XLA's order. Fields that are not used here are untyped pointers.

#ifndef GOSPMD_AOT_PJRT_H_
#define GOSPMD_AOT_PJRT_H_

#include <stddef.h>
#include <stdint.h>

typedef struct Error Error;  // PJRT_Error

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
  const Error* error;
  int code;
} ErrorCodeArgs;  // PJRT_Error_GetCode_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
} InitializeArgs;  // PJRT_Plugin_Initialize_Args

enum { kString, kInt64, kInt64List, kFloat, kBool };  // PJRT_NamedValue_Type

typedef struct {
  size_t struct_size;
  void* extension_start;
  const char* name;
  size_t name_size;
  int type;
  union {
    const char* text;
    int64_t integer;
    const int64_t* integers;
    float number;
    _Bool truth;
  } value;
  size_t value_size;
} NamedValue;  // PJRT_NamedValue

typedef struct {
  size_t struct_size;
  void* extension_start;
  const char* name;
  size_t name_size;
  const NamedValue* options;
  size_t num_options;
  void* topology;
} TopologyArgs;  // PJRT_TopologyDescription_Create_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  const void* topology;
  const char* text;
  size_t size;
} TopologyTextArgs;  // PJRT_TopologyDescription_PlatformVersion_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  const void* topology;
  void* const* devices;
  size_t num_devices;
} DevicesArgs;  // PJRT_TopologyDescription_GetDeviceDescriptions_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* device;
  int id;
} DeviceIdArgs;  // PJRT_DeviceDescription_Id_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* device;
  const char* kind;
  size_t size;
} DeviceKindArgs;  // PJRT_DeviceDescription_Kind_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* device;
  size_t num_attributes;
  const NamedValue* attributes;
} DeviceAttributesArgs;  // PJRT_DeviceDescription_Attributes_Args

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
  const void* topology;
  const Program* program;
  const char* options;
  size_t options_size;
  void* client;
  void* executable;
} CompileArgs;  // PJRT_Compile_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* executable;
  int64_t code, arguments, outputs, aliases, temporary;
  int64_t host_code, host_arguments, host_outputs, host_aliases, host_temporary;
  int64_t peak, total, allocated, indefinite, peak_unpadded;
} MemoryArgs;  // PJRT_Executable_GetCompiledMemoryStats_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* executable;
  size_t num_properties;
  const NamedValue* properties;
} CostArgs;  // PJRT_Executable_GetCostAnalysis_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* executable;
  Program* program;
} OptimizedArgs;  // PJRT_Executable_OptimizedProgram_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  const void* executable;
  const char* bytes;
  size_t size;
  void* serialized;
  void (*delete_serialized)(void* serialized);
} SerializeArgs;  // PJRT_Executable_Serialize_Args

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
  Error* (*error_code)(ErrorCodeArgs*);
  Error* (*initialize)(InitializeArgs*);
  void* clients[19];  // and events
  Error* (*device_id)(DeviceIdArgs*);
  void* device_process;
  Error* (*device_attributes)(DeviceAttributesArgs*);
  Error* (*device_kind)(DeviceKindArgs*);
  void* devices[19];
  Error* (*cost)(CostArgs*);
  void* output_memory_kinds;
  Error* (*optimized)(OptimizedArgs*);
  Error* (*serialize)(SerializeArgs*);
  void* buffers[32];  // and loaded executables
  Error* (*topology_create)(TopologyArgs*);
  void* topology_destroy;
  void* topology_platform;
  Error* (*topology_version)(TopologyTextArgs*);
  Error* (*topology_devices)(DevicesArgs*);
  void* topology_serialize;
  void* topology_attributes;
  Error* (*compile)(CompileArgs*);
  void* outputs[6];
  Error* (*memory)(MemoryArgs*);
} Api;  // PJRT_Api, of which more may follow

// setText and setList make an option of a topology. Their arguments must stay valid as long as the
// option.
void setText(NamedValue* option, const char* name, const char* text, size_t size);
void setList(NamedValue* option, const char* name, const int64_t* list, size_t size);

// Question describes a compilation: the module, the plugin that compiles it, and the devices.
typedef struct {
  const char* plugin;  // path of its file
  const char* topology;
  NamedValue* topology_options;
  size_t num_topology_options;
  const char* code;
  size_t code_size;
  const char* options;  // CompileOptionsProto of the compilation
  size_t options_size;
} Question;

// Answer is the result of a compilation. Its memory is never freed, because the process ends after
// one compilation.
typedef struct {
  const char* failed;  // the function of PJRT that failed, or NULL
  int code;            // its PJRT error code
  char* message;
  int major_version, minor_version;
  TopologyTextArgs version;
  DevicesArgs devices;
  DeviceKindArgs kind;
  DeviceAttributesArgs attributes;  // of the first device
  double seconds;                   // duration of the compilation
  MemoryArgs memory;
  int has_cost;
  CostArgs cost;
  Program optimized;
  SerializeArgs serialized;
} Answer;

// aotCompile compiles the module of q and stores the result.
void aotCompile(const Question* q, Answer* a);

// numberOf returns the value of an attribute that is a number, or 0 for others.
double numberOf(const NamedValue* v);

#endif
