"""Our scripts and styles as a page gets them: without comments, indentation and long names.

The sources stay as they are; what was minified once is cached by its text.
"""

import hashlib
import json
import subprocess
from pathlib import Path

from web.builder.cache import write_whole
from web.builder.paths import CACHE
from web.builder.third_party import assets

MINIFIED = CACHE / "minified"
SCRIPT = Path(__file__).with_suffix(".cjs")


class MinifyError(Exception):
    """A script or a style that cannot be read."""


def minify(files: list[Path]) -> None:
    """Write each file anew, shorter."""
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    made_by = SCRIPT.read_bytes() + assets.named("esbuild").sha256.encode()
    cached = {
        path: MINIFIED / hashlib.sha256(made_by + path.suffix.encode() + text.encode()).hexdigest()
        for path, text in texts.items()
    }
    new = [path for path in files if not cached[path].exists()]
    if new:
        for path, text in zip(new, _run({path: texts[path] for path in new}), strict=True):
            write_whole(cached[path], text.encode())
    for path in files:
        path.write_bytes(cached[path].read_bytes())


def _run(texts: dict[Path, str]) -> list[str]:
    asked = json.dumps([{"name": str(path), "text": text} for path, text in texts.items()])
    folder = assets.unpacked(assets.named("esbuild"), MINIFIED, ("package/",)) / "package"
    command = ["node", str(SCRIPT), str(folder)]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MinifyError(done.stderr.strip())
    return json.loads(done.stdout)
