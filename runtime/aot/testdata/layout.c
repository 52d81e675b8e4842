// Compiles only if pjrt.h has the layout of PJRT's own header.

#include "../pjrt.h"
#include "pjrt_c_api.h"

#define SAME(ours, field, theirs, name) _Static_assert(offsetof(ours, field) == offsetof(theirs, name), #ours "." #field)
#define SIZE(ours, theirs) _Static_assert(sizeof(ours) == sizeof(theirs), #ours)

SAME(Api, version.minor_version, PJRT_Api, pjrt_api_version.minor_version);
SAME(Api, error_destroy, PJRT_Api, PJRT_Error_Destroy);
SAME(Api, error_message, PJRT_Api, PJRT_Error_Message);
SAME(Api, error_code, PJRT_Api, PJRT_Error_GetCode);
SAME(Api, initialize, PJRT_Api, PJRT_Plugin_Initialize);
SAME(Api, device_id, PJRT_Api, PJRT_DeviceDescription_Id);
SAME(Api, device_attributes, PJRT_Api, PJRT_DeviceDescription_Attributes);
SAME(Api, device_kind, PJRT_Api, PJRT_DeviceDescription_Kind);
SAME(Api, cost, PJRT_Api, PJRT_Executable_GetCostAnalysis);
SAME(Api, optimized, PJRT_Api, PJRT_Executable_OptimizedProgram);
SAME(Api, serialize, PJRT_Api, PJRT_Executable_Serialize);
SAME(Api, topology_create, PJRT_Api, PJRT_TopologyDescription_Create);
SAME(Api, topology_version, PJRT_Api, PJRT_TopologyDescription_PlatformVersion);
SAME(Api, topology_devices, PJRT_Api, PJRT_TopologyDescription_GetDeviceDescriptions);
SAME(Api, compile, PJRT_Api, PJRT_Compile);
SAME(Api, memory, PJRT_Api, PJRT_Executable_GetCompiledMemoryStats);

SIZE(ErrorDestroyArgs, PJRT_Error_Destroy_Args);
SIZE(ErrorMessageArgs, PJRT_Error_Message_Args);
SIZE(ErrorCodeArgs, PJRT_Error_GetCode_Args);
SIZE(InitializeArgs, PJRT_Plugin_Initialize_Args);
SIZE(NamedValue, PJRT_NamedValue);
SAME(NamedValue, value, PJRT_NamedValue, string_value);
SAME(NamedValue, value_size, PJRT_NamedValue, value_size);
_Static_assert(kString == (int)PJRT_NamedValue_kString && kBool == (int)PJRT_NamedValue_kBool, "types of values");
SIZE(TopologyArgs, PJRT_TopologyDescription_Create_Args);
SAME(TopologyArgs, num_options, PJRT_TopologyDescription_Create_Args, num_options);
SAME(TopologyTextArgs, text, PJRT_TopologyDescription_PlatformVersion_Args, platform_version);
SAME(DevicesArgs, num_devices, PJRT_TopologyDescription_GetDeviceDescriptions_Args, num_descriptions);
SAME(DeviceIdArgs, id, PJRT_DeviceDescription_Id_Args, id);
SAME(DeviceKindArgs, size, PJRT_DeviceDescription_Kind_Args, device_kind_size);
SAME(DeviceAttributesArgs, attributes, PJRT_DeviceDescription_Attributes_Args, attributes);
SIZE(Program, PJRT_Program);
SAME(Program, format_size, PJRT_Program, format_size);
SIZE(CompileArgs, PJRT_Compile_Args);
SAME(CompileArgs, executable, PJRT_Compile_Args, executable);
SAME(CompileArgs, options_size, PJRT_Compile_Args, compile_options_size);
SIZE(MemoryArgs, PJRT_Executable_GetCompiledMemoryStats_Args);
SAME(MemoryArgs, code, PJRT_Executable_GetCompiledMemoryStats_Args, generated_code_size_in_bytes);
SAME(MemoryArgs, arguments, PJRT_Executable_GetCompiledMemoryStats_Args, argument_size_in_bytes);
SAME(MemoryArgs, outputs, PJRT_Executable_GetCompiledMemoryStats_Args, output_size_in_bytes);
SAME(MemoryArgs, aliases, PJRT_Executable_GetCompiledMemoryStats_Args, alias_size_in_bytes);
SAME(MemoryArgs, temporary, PJRT_Executable_GetCompiledMemoryStats_Args, temp_size_in_bytes);
SAME(MemoryArgs, peak, PJRT_Executable_GetCompiledMemoryStats_Args, peak_memory_in_bytes);
SIZE(CostArgs, PJRT_Executable_GetCostAnalysis_Args);
SAME(CostArgs, properties, PJRT_Executable_GetCostAnalysis_Args, properties);
SIZE(OptimizedArgs, PJRT_Executable_OptimizedProgram_Args);
SIZE(SerializeArgs, PJRT_Executable_Serialize_Args);
SAME(SerializeArgs, delete_serialized, PJRT_Executable_Serialize_Args, serialized_executable_deleter);
