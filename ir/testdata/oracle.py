"""Reads a JSON list of modules from stdin and writes, for each, what the real
MLIR parser of jaxlib makes of it: {"text": generic form} or {"error": …}."""
import json
import sys

from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import chlo, sdy, stablehlo

context = ir.Context()
context.allow_unregistered_dialects = True
for dialect in (sdy, stablehlo, chlo):
    dialect.register_dialect(context)
registry = ir.DialectRegistry()
_jax_mlir_ext.register_dialects(registry)
context.append_dialect_registry(registry)
context.load_all_available_dialects()


def read(text):
    try:
        module = ir.Module.parse(text, context)
        module.operation.verify()
        return {"text": module.operation.get_asm(print_generic_op_form=True)}
    except Exception as e:
        return {"error": str(e)}


json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)
