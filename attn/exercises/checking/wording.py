"""Put inputs, results and differences into words and small tables."""

import numpy as np

_SMALL = 8
_MOST_ROWS = 4


def call_of(name, probe):
    """How the function is called: soft_lookup(query, keys, values, beta=...)."""
    shown = [f"{a}=..." if a in probe.keywords else a for a in probe.arguments]
    return f"{name}({', '.join(shown)})"


def inputs_of(probe):
    """The probe's arguments, in full where they are small."""
    return ", ".join(f"{name} {_input(value)}" for name, value in probe.arguments.items())


def difference(outcome, expected):
    """What the answer did against what was expected, and a table where that is small."""
    if outcome.kind == "raised":
        place = f" (line {outcome.line})" if outcome.line else ""
        return f"raised {outcome.problem}{place}", None
    if outcome.kind == "unreadable":
        return f"returned {outcome.problem}", None
    got, wanted = outcome.value, expected.value
    if got.shape != wanted.shape:
        words = f"returned shape {got.shape}; shape {wanted.shape} was expected"
        return words, (("shape", str(got.shape), str(wanted.shape)),)
    return _value_words(got, wanted), _rows(got, wanted)


def _value_words(got, wanted):
    if _decides(wanted):
        return f"returned {bool(got)}; {bool(wanted)} was expected"
    if np.isnan(got).any():
        return "returned nan (not a number) in places where numbers were expected"
    if got.shape == ():
        return f"returned {_number(got)}; {_number(wanted)} was expected"
    return "returned other values than expected"


def _decides(wanted):
    """Whether one True or False was asked for, and not a table of them."""
    return wanted.dtype == bool and wanted.shape == ()


def _rows(got, wanted):
    """Rows of a small array that differ, as (label, got, expected)."""
    if _decides(wanted):
        return (("decision", str(bool(got)), str(bool(wanted))),)
    if got.ndim < 2:
        return (("result", *_pair(got, wanted)),) if got.size <= _SMALL else None
    got, wanted = got.reshape(-1, got.shape[-1]), wanted.reshape(-1, wanted.shape[-1])
    if got.shape[-1] > _SMALL:
        return None
    apart = [i for i in range(len(got)) if not np.allclose(got[i], wanted[i], 1e-5, 1e-5)]
    return tuple((f"row {i}", *_pair(got[i], wanted[i])) for i in apart[:_MOST_ROWS]) or None


def _pair(got, wanted):
    for digits in (4, 8):
        pair = _array(got, digits), _array(wanted, digits)
        if pair[0] != pair[1]:
            break
    return pair


def _input(value):
    value = np.asarray(value)
    if value.size <= _SMALL:
        return f"= {_array(value)}"
    return f"of shape {value.shape}"


def _array(value, digits=4):
    if value.ndim == 0:
        return _number(value, digits)
    return f"[{', '.join(_array(inner, digits) for inner in value)}]"


def _number(value, digits=4):
    value = value.item()
    return str(value) if isinstance(value, bool | int) else f"{value:.{digits}g}"
