"""What the names of a session held after each of its cells, to be brought back as often as needed.

A snapshot is a pickle: what a cell changes in place is changed in its own copy. Names that share a
list, or the numbers of an array, share them in the copy. Modules, functions and classes are not
copied. What a pickle cannot hold, what would be shared though a cell may change it, and what takes
too much room has no snapshot: the cells that made it have to run again.
"""

import io
import pickle
import random
import types

import numpy as np

SHARED = (types.ModuleType, types.FunctionType, type)


class Snapshots:
    """What the names held after a cell, by its place; together no more than ``room`` bytes."""

    def __init__(self, room, start):
        self.room, self.kept = room, {-1: start}

    def __contains__(self, place):
        return place in self.kept

    def take(self, place, names):
        try:
            taken = Snapshot(names, [one for kept in self.kept.values() for one in kept.buffers])
        except Exception:  # whatever the reader's own classes raise
            return
        self.kept[place] = taken
        buffers = {id(one): one for kept in self.kept.values() for one in kept.buffers}
        used = sum(map(len, [*buffers.values(), *(kept.pickled for kept in self.kept.values())]))
        if used > self.room:
            self.drop(place)

    def drop(self, place):
        self.kept.pop(place, None)

    def restore(self, place):
        return self.kept[place].restore()


class Snapshot:
    """The values of names; ``known`` are copies of arrays that need not be made again."""

    def __init__(self, names, known=()):
        self.shared, pickled, arrays = [], io.BytesIO(), []
        own = {name: value for name, value in names.items() if name != "__builtins__"}
        pickler = _Pickler(pickled, protocol=5, buffer_callback=arrays.append)
        pickler.shared = self.shared
        pickler.dump((own, _settings()))
        self.pickled = pickled.getvalue()
        raw = [array.raw() for array in arrays]
        self.fixed = [one.readonly for one in raw]
        self.buffers = [
            next((copy for copy in known if copy == one), None) or bytearray(one) for one in raw
        ]

    def restore(self):
        """The names with values of their own."""
        buffers = [
            memoryview(copy).toreadonly() if fixed else bytearray(copy)
            for copy, fixed in zip(self.buffers, self.fixed, strict=True)
        ]
        unpickler = _Unpickler(io.BytesIO(self.pickled), buffers=buffers)
        unpickler.shared = self.shared
        names, settings = unpickler.load()
        _set(*settings)
        return names


def _settings():
    """What NumPy and Python keep for all cells together."""
    return np.random.get_state(), random.getstate(), np.get_printoptions()


def _set(numpy_state, python_state, print_options):
    np.random.set_state(numpy_state)
    random.setstate(python_state)
    np.set_printoptions(**print_options)


class _Pickler(pickle.Pickler):
    def persistent_id(self, value):
        if not isinstance(value, SHARED) and not _is_exhausted(value):
            return None
        if getattr(value, "__module__", None) == "__main__" and _holds_state(value):
            raise pickle.PicklingError(f"{value} may hold what a cell changes")
        self.shared.append(value)
        return len(self.shared) - 1

    def reducer_override(self, value):
        base = getattr(value, "base", None)
        if not isinstance(value, np.ndarray) or not isinstance(base, np.ndarray):
            return NotImplemented
        if type(value) is not np.ndarray or type(base) is not np.ndarray:
            raise pickle.PicklingError("numbers that others may share")
        if value.dtype.hasobject:
            if value.size < base.size or not (value.flags.c_contiguous and base.flags.c_contiguous):
                raise pickle.PicklingError("a part of an array of objects")
            return np.reshape, (base, value.shape)
        offset = value.ctypes.data - base.ctypes.data
        return _view, (base, value.shape, value.dtype, offset, value.strides, value.flags.writeable)


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, place):
        return self.shared[place]


def _view(base, shape, dtype, offset, strides, is_writeable):
    view = np.ndarray(shape, dtype, base, offset, strides)
    view.flags.writeable = is_writeable
    return view


def _is_exhausted(value):
    """Whether it is a generator that has nothing more to give."""
    return isinstance(value, types.GeneratorType) and value.gi_frame is None


def _holds_state(value):
    """Whether a class or a function of the reader's may hold more than its code."""
    if isinstance(value, type):
        return True
    defaults = (*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values())
    hashable = all(one.__hash__ for one in defaults)
    return bool(value.__closure__ or vars(value) or not hashable)
