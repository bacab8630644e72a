"""Make digits.npz from scikit-learn's copy of the digits: `python -m attn.data.make_digits`.

scikit-learn is needed for this command alone; the course reads the file that it wrote. The text
beside the file, digits.txt, says where the pictures come from.
"""

import io
import zipfile

import numpy as np

from attn.data import HERE

EPOCH = (1980, 1, 1, 0, 0, 0)  # the same bytes whenever it is made


def npz_bytes(arrays):
    """The bytes of a compressed .npz file, without the time of its making."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, array in arrays.items():
            member = io.BytesIO()
            np.save(member, array)
            entry = zipfile.ZipInfo(f"{name}.npy", EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(entry, member.getvalue())
    return stream.getvalue()


def main():
    """Write the pictures, 0 to 16, and their labels, as small whole numbers."""
    from sklearn.datasets import load_digits

    found = load_digits()
    arrays = {"images": found.images.astype(np.uint8), "labels": found.target.astype(np.uint8)}
    if not np.array_equal(arrays["images"], found.images):
        raise ValueError("the pictures are not whole numbers from 0 to 255")
    (HERE / "digits.npz").write_bytes(npz_bytes(arrays))


if __name__ == "__main__":
    main()
