"""Which packages the page's Python can load, and what of each a page can use.

A first run loads ``FIRST``. The sets of ``OPTIONAL`` are loaded when a cell needs one. Third-party
packages are assets, named ``<package>-for-the-page`` in ``web/builder/third_party/assets.toml``.
"""

from fnmatch import fnmatch
from pathlib import Path

FIRST = ("numpy", "attn")
OPTIONAL = {
    "matplotlib": (
        "contourpy",
        "cycler",
        "kiwisolver",
        "matplotlib",
        "packaging",
        "pillow",
        "pyparsing",
        "python-dateutil",
        "six",
    ),
    "attn-book": ("traitlets", "attn-book"),
}
TITLES = {"matplotlib": "matplotlib", "attn-book": "the book’s modules"}  # in "Loading …"
PACKAGES = (*FIRST, *(name for needed in OPTIONAL.values() for name in needed))
OWN = ("attn", "attn-book")
THIRD_PARTY = tuple(name for name in PACKAGES if name not in OWN)
ASSET = "{}-for-the-page"
# Types for editors, sources of compiled parts, and files that are not for Python.
NOT_IMPORTED = (".pyi", ".pxd", ".pyx", ".h", ".c", ".a", ".md", ".ini", ".pc", ".rst", ".build")
# Of any package: what building other software needs, and its own tests.
NOT_FOR_A_PAGE = ("*/tests/*", "*/_pyinstaller/*", "*/conftest.py", "*/include/*")
# Plots are drawn as SVG with text as text, so fonts only measure it: the closest will do. mathtext
# looks for the cm fonts and DejaVu Sans Mono. Of pillow, a picture in a plot takes PNG alone.
LEFT_OUT = {
    "numpy": ("*/f2py/*",),
    "contourpy": ("contourpy/util/*_renderer.py",),
    "matplotlib": (
        "*/mpl-data/sample_data/*",
        "*/mpl-data/images/*",
        "*/mpl-data/fonts/afm/*",
        "*/mpl-data/fonts/pdfcorefonts/*",
        "*/DejaVuSans-BoldOblique*",
        "*/DejaVuSansMono-*",
        "*/DejaVuSerif*",
        "*/Humor-Sans*",
        "*/ttf/STIX*",
        "matplotlib/_qhull*",
        "matplotlib/_tri.*",
        "matplotlib/testing/*",
        "matplotlib/sphinxext/*",
        "mpl_toolkits/axisartist/*",
        "*/backends/_backend_[gpt]*",
        "*/backends/_tkagg*",
        "*/backends/qt_*",
        "*/backends/web_backend/*",
        "*/backends/backend_[cgnpqtw]*",
        "*/backends/backend_macosx*",
    ),
    "packaging": ("packaging/[!_v]*", "packaging/_[!_s]*"),
    "pillow": (
        "PIL/[!P]*ImagePlugin.py",
        "PIL/P[!n]*ImagePlugin.py",
        "PIL/_imaging[cftw]*",
        "PIL/_webp*",
        "PIL/ImageCms.py",
        "PIL/ImageDraw*",
        "PIL/ImageFont.py",
        "PIL/ImageQt.py",
        "PIL/ImageTk.py",
        "PIL/PdfParser.py",
        "PIL/PSDraw.py",
    ),
    "pyparsing": ("pyparsing/ai/*", "pyparsing/diagram/*", "pyparsing/tools/*"),
    "python-dateutil": ("*.tar.gz", "dateutil/tz/win.py"),
    "traitlets": ("traitlets/config/*",),
}
FOR_CELLS = (".py", ".json", ".npz", ".bin", ".txt")  # what draws a figure is asked of the site
STAND_INS = Path(__file__).with_name("stand_ins")


def usable(name: str, files: dict[str, bytes]) -> dict[str, bytes]:
    """The files of a third-party wheel that a page can use, its licences among them."""
    left_out = (*NOT_FOR_A_PAGE, *LEFT_OUT.get(name, ()))
    return {
        path: data
        for path, data in files.items()
        if ".dist-info/" in path
        or not (path.endswith(NOT_IMPORTED) or any(fnmatch(path, one) for one in left_out))
    }
