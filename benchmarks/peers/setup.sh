#!/bin/sh
# Makes the virtual environment of the peers: JAX and Keras, of the versions in requirements.txt.
#
#   benchmarks/peers/setup.sh [DIR]
#
# DIR is $XDG_CACHE_HOME/gospmd/peers (~/.cache/gospmd/peers) by default, where
# `go run ./benchmarks` looks. PYTHON names the Python to use; python3 by default.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
dir=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/gospmd/peers}
python=${PYTHON:-python3}

fail() {
	echo "setup.sh: $*" >&2
	exit 1
}

command -v "$python" >/dev/null || fail "there is no $python: install Python 3.11 or later, or name one by PYTHON=/path/to/python3"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
	fail "$python is $("$python" --version): JAX wants 3.11 or later; name another one by PYTHON=/path/to/python3"

if "$python" -c 'import venv, ensurepip' 2>/dev/null; then
	"$python" -m venv "$dir"
elif "$python" -m virtualenv --version >/dev/null 2>&1; then
	"$python" -m virtualenv --quiet "$dir"
else
	fail "$python lacks venv, which makes virtual environments: apt-get install python3-venv (Debian, Ubuntu), or $python -m pip install virtualenv"
fi
"$dir/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt"
KERAS_BACKEND=jax "$dir/bin/python" -c 'import jax, keras; print("JAX", jax.__version__, "and Keras", keras.__version__)'
echo "The Python of the peers is $dir/bin/python."
