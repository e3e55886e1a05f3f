"""What ``arboretum.datasets`` needs beside the core: asked before anything of it is imported, and said in one line."""

from importlib.util import find_spec

for _name in ("pyarrow", "yaml", "PIL", "pooch", "requests", "tqdm", "unearth"):  # most are imported when first needed
    if find_spec(_name) is None:
        raise ModuleNotFoundError(f"arboretum.datasets needs {_name}: pip install 'arboretum[data]'", name=_name)
