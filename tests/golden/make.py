"""Cases on which Python and JavaScript must agree; ``python tests/golden/make.py`` rewrites them.

``make.py soft_lookup block`` writes these two files. A committed case that is equal to 1e-12 stays
as it is: other processors differ in the last digits.

Each file holds a list of {"name", "function", "arguments", "result"}. JSON has no infinity, so
"inf" and "-inf" stand for it; masks are booleans, True = may look. A figure's state has no result.
"""

import argparse
import json
from pathlib import Path

import numpy as np

import attn.core as core
from attn import widgets
from attn.widgets import layer_explorer, mask_editor
from attn.widgets.kit.random_normals import normals, uniforms
from attn.widgets.soft_lookup.weighting import relu_share, sparsemax
from attn.widgets.train_live import model

HERE = Path(__file__).parent


def encode(x):
    """`x` as JSON values: nested lists, with infinities as words."""
    if isinstance(x, np.ndarray):
        x = x.tolist()
    if isinstance(x, list | tuple):
        return [encode(item) for item in x]
    if isinstance(x, float | np.floating) and np.isinf(x):
        return "inf" if x > 0 else "-inf"
    return float(x) if isinstance(x, np.floating) else x


def case(name, function, result, **arguments):
    """One golden case; arguments keep the names of the Python signature."""
    encoded = {key: encode(value) for key, value in arguments.items()}
    return {"name": name, "function": function, "arguments": encoded, "result": encode(result)}


def softmax_cases():
    """Rows of scores, ordinary and extreme."""
    rows = {
        "a gap of ln 3": [0.0, float(np.log(3))],
        "one score": [7.0],
        "a tie": [2.0, 2.0, 1.0],
        "scores of ten thousand": [1e4, 1e4 - 1, -1e4],
        "scores of minus ten thousand": [-1e4, -1e4 - 2],
        "one score hidden": [2.0, 1.0, -np.inf],
        "all but one hidden": [-np.inf, 0.5, -np.inf],
        "small differences": [0.1, 0.2, 0.3, 0.4, 0.5],
    }
    return [case(n, "softmax", core.softmax(np.array(x)), x=x) for n, x in rows.items()]


def share_cases():
    """The other two rules of the first chapter's figure."""
    rows = {
        "one positive": [1.0, 0.0, -1.0],
        "none positive": [-1.0, -2.0],
        "a tie": [0.5, 0.5, -3.0],
        "far apart": [8.0, 0.0, -8.0],
        "close": [0.1, 0.0, 0.05],
    }
    rules = {"reluShare": relu_share, "sparsemax": sparsemax}
    return [
        case(f"{rule}, {name}", rule, share(np.array(x)), x=x)
        for rule, share in rules.items()
        for name, x in rows.items()
    ]


def soft_lookup_cases():
    """The first chapter's figure: its weights and its answer, by each rule."""
    lone = {"key_vectors": [[0.5, 0.25]], "values": [42.0], "labels": ["lone"]}
    uneven = {
        "key_vectors": [[0.6, 0.8], [0.6, -0.8], [-1.0, 0.0], [2.0, 0.5]],
        "values": [1.0, -5.0, 4.0, 0.5],
        "labels": list("abcd"),
    }
    states = [{"query_angle": 0.0, "beta": beta} for beta in (0.0, 1.0, 2.0, 8.0)]
    states += [
        {"query_angle": angle, "beta": 1.5, "rule": rule, **table}
        for rule in ("softmax", "relu", "sparsemax")
        for angle, table in ((45.0, {}), (-120.0, lone), (33.0, uneven))
    ]
    figures = [widgets.SoftLookup(**state) for state in states]
    return [
        case(
            f"{f.rule}, {len(f.values)} keys, {f.query_angle} degrees, β {f.beta}",
            "answer",
            [*f.weights, f.output],
            **state,
        )
        for state, f in zip(states, figures, strict=True)
    ]


def table_lookup_cases():
    """The first chapter's table: what each lookup weighs and returns, and its statement."""
    south = {
        "key_vectors": [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]],
        "values": [10.0, 20.0, 30.0, 10.0],
        "labels": ["east", "north", "west", "south"],
    }
    states = [
        {"query_angle": angle, **table}
        for table in ({}, south)
        for angle in (-180.0, -90.0, -37.0, 0.0, 44.0, 45.0, 46.0, 90.0, 180.0)
    ] + [{"query_angle": 45.0, "beta": beta} for beta in (0.0, 1.0, 2.5, 40.0)]
    cases = []
    for state in states:
        for kind in ("exact", "nearest", "soft"):
            figure = widgets.TableLookup(kind=kind, **state)
            answer = figure.answers[kind]
            result = [*figure.weights[kind], *([] if answer is None else [answer])]
            name = f"{kind}, {figure.query_name}, {len(figure.values)} rows, β {figure.beta:g}"
            cases.append(case(name, "lookup", result, kind=kind, **state))
            cases.append(case(name, "sql", figure.sql, kind=kind, **state))
    return cases


def self_attention_cases():
    """softmax(X Xᵀ) X by hand-sized and random inputs."""
    rng = np.random.default_rng(2)
    inputs = {
        "the second chapter's three tokens": np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]]),
        "one token": np.array([[0.3, -0.7, 2.0]]),
        "twice the same token": np.array([[1.0, 2.0], [1.0, 2.0]]),
        "large entries": np.array([[100.0, 0.0], [0.0, 100.0], [-100.0, 100.0]]),
        "five random tokens": rng.normal(size=(5, 4)),
    }
    return [case(n, "self_attention", core.self_attention(X), X=X) for n, X in inputs.items()]


def attention_cases():
    """Weights at several scales, and the outputs; n, m, d_k, d_v all differ."""
    rng = np.random.default_rng(6)
    Q, K, V = (rng.normal(size=s) for s in ((3, 4), (5, 4), (5, 2)))
    options = {
        "plain": {},
        "scale 1": {"scale": 1.0},
        "scale 0": {"scale": 0.0},
        "scale 1000": {"scale": 1000.0},
    }
    weights = [
        case(
            f"weights, {name}",
            "attention_weights",
            core.attention_weights(Q, K, **o),
            Q=Q,
            K=K,
            **o,
        )
        for name, o in options.items()
    ]
    output = case("output", "attention", core.attention(Q, K, V), Q=Q, K=K, V=V)
    return [*weights, output]


def layer_norm_cases():
    """Rows of ordinary size, small ones that eps matters to, and equal entries."""
    rng = np.random.default_rng(10)
    inputs = {
        "five rows": rng.normal(size=(5, 4)),
        "tiny rows": 1e-3 * rng.normal(size=(2, 6)),
        "equal entries": np.full((1, 3), 7.0),
    }
    return [case(n, "layer_norm", core.layer_norm(X), X=X) for n, X in inputs.items()]


def figure_cases():
    """Each figure's own state as its page gets it: its traits and its spec."""
    return [
        case(name, "state", None, **state(getattr(widgets, name)())) for name in widgets.__all__
    ]


def state(figure):
    """The traits and spec of one figure."""
    synced = figure.get_state()
    traits = {name: synced[name] for name in synced["_spec"]["traits"]}
    return traits | {"spec": synced["_spec"]}


def scaling_cases():
    """The fourth chapter's random numbers, and the spreads and weights that they give."""
    drawn = [
        case(f"{n} numbers, seed {seed}", "normals", normals(n, seed), count=n, seed=seed)
        for n, seed in ((1, 0), (7, 4), (64, 4), (64, 2**32 - 1))
    ]
    figures = {d_k: widgets.ScaleExplorer(d_k=d_k) for d_k in (1, 64, 1024)}
    spreads = [case(f"d_k = {d}", "spreads", f.spreads, d_k=d) for d, f in figures.items()]
    weights = [
        case(f"d_k = {d}, query 3", "weights", f.weights[:, 2].ravel(), d_k=d, query=3)
        for d, f in figures.items()
    ]
    return drawn + spreads + weights


def head_cases():
    """The fifth chapter's layer, cut into heads in both ways, with heads switched off."""
    states = {
        "one head": {"heads": 1},
        "two heads": {"heads": 2},
        "four heads": {"heads": 4},
        "four heads, two off": {"heads": 4, "on": [True, False, True, False]},
        "every head off": {"heads": 2, "on": [False] * 4},
        "the sequence in two": {"heads": 2, "cut": "sequence"},
        "the sequence in four, one off": {
            "heads": 4,
            "cut": "sequence",
            "on": [True, False, True, True],
        },
    }
    cases = []
    for name, changes in states.items():
        figure = widgets.HeadSplitter(**changes)
        flat = {
            "weights": np.concatenate([A.ravel() for A in figure.weights]),
            "merged": figure.merged.ravel(),
            "contributions": figure.contributions.ravel(),
            "influences": figure.influences,
        }
        cases += [case(name, function, result, **changes) for function, result in flat.items()]
    return cases


def mask_cases():
    """The sixth chapter's four ways to hide a key, and what leaks in each."""
    rng = np.random.default_rng(60)
    q, K, V = rng.normal(size=3), rng.normal(size=(5, 3)), rng.normal(size=(5, 2))
    looks = {
        "two hidden": [True, False, True, True, False],
        "one seen": [False, False, False, True, False],
        "all seen": [True] * 5,
        "none seen": [False] * 5,
    }
    scores, cases = 0.5 * K @ q, []
    for way in mask_editor.WAYS:
        for name, look in looks.items():
            row = mask_editor.masked_row(scores, look, way)
            leak = mask_editor.leaks(q, K, V, look, way, 0.5)
            given = {"look": look, "way": way}
            if row is None:  # no number stands for it
                row, leak = "none", "none"
            cases += [
                case(f"{way}, {name}", "maskedRow", row, scores=scores, **given),
                case(f"leak, {way}, {name}", "leaks", leak, q=q, K=K, V=V, scale=0.5, **given),
            ]
    return cases


def position_cases():
    """The seventh chapter's encodings, and what its figure draws of each."""
    X = np.random.default_rng(7).normal(size=(3, 6))
    far = np.array([0, 5, 1000])
    cases = [
        case(
            f"{n} positions of {d} entries, base {base}",
            "sinusoidalPositions",
            core.sinusoidal_positions(n, d, base=base),
            n=n,
            d=d,
            base=base,
        )
        for n, d, base in ((1, 2, 10), (5, 4, 10000), (32, 8, 100))
    ]
    cases += [
        case("three rows", "rotate", core.rotate(X, far, base=b), X=X, places=far, base=b)
        for b in (10, 10000)
    ]
    cases += [
        case(
            f"head {k} of {heads}",
            "alibiBias",
            core.alibi_bias(5, heads)[k - 1],
            n=5,
            head=k,
            heads=heads,
        )
        for k, heads in ((1, 8), (8, 8), (3, 4))
    ]
    states = ({}, {"size": 4, "base": 10}, {"size": 64, "base": 10**6, "head": 8})
    for kind in ("sinusoidal", "learned", "rotary", "alibi"):
        for state in states:
            figure = widgets.PositionExplorer(kind=kind, **state)
            chosen = {"kind": kind, **state}
            # Three rows say as much as all 32, and are shorter.
            cases.append(
                case(f"{chosen}, its table", "table", figure.table[::13], **chosen),
            )
            cases.append(
                case(f"{chosen}, its scores", "scores", figure.scores[::13], **chosen),
            )
    return cases


def recurrence_cases():
    """The ninth chapter's figures: norms of derivatives in powers of ten, outputs from a state."""
    settings = (
        {},
        {"keep": 6.0, "draw": 2},
        {"gain": 1.8, "draw": 3},
        {"keep": 2.5, "gain": 0.5, "draw": 5},
    )
    paths = [
        case(
            f"{name} with {traits or 'the authored state'}",
            "norms",
            np.log10(norms[::20]),
            layer=name,
            traits=traits,
        )
        for traits in settings
        for name, norms in widgets.GradientPaths(**traits).norms.items()
    ]
    states = [
        case(
            f"{step} words, d_k = {d_k}",
            "linear state",
            np.concatenate([figure.state.ravel(), *figure.outputs]),
            traits={"step": step, "d_k": d_k},
        )
        for step, d_k in ((1, 4), (3, 2), (6, 1), (6, 4))
        for figure in (widgets.LinearState(step=step, d_k=d_k),)
    ]
    sizes = (
        {"n": 64, "d": 512, "s": 3, "cell": "gru"},
        {"n": 8, "d": 16, "s": 2, "cell": "rnn"},
        {"n": 65536, "d": 16, "s": 15, "cell": "lstm"},
        {"n": 1024, "d": 512, "s": 4, "cell": "lstm"},
    )
    bills = [
        case(
            f"n = {traits['n']}, d = {traits['d']}",
            "costs",
            [
                *(c for parts in figure.counts.values() for c in parts.values()),
                *figure.paths.values(),
                *figure.crossings.values(),
            ],
            traits=traits,
        )
        for traits in sizes
        for figure in (widgets.CostTable(**traits),)
    ]
    running = [
        case(
            f"{step} words, keep {keep}, {gate}",
            "running state",
            np.concatenate([figure.shares, figure.state]),
            traits={"step": step, "keep": keep, "gate": gate},
        )
        for step, keep, gate in ((1, 0.5, "same"), (6, 0.8, "same"), (3, 0.2, "living"))
        for figure in (widgets.RunningState(step=step, keep=keep, gate=gate),)
    ]
    return paths + states + bills + running


def convolution_cases():
    """Eighth chapter: pictures by heads, with and without padding tokens, beside a convolution."""
    rng = np.random.default_rng(8)
    offsets = [[r, c] for r in (-1, 0, 1) for c in (-1, 0, 1)]
    image, kernel = rng.normal(size=(4, 4)), rng.normal(size=(3, 3))
    given = {"pixels": image, "kernel": kernel}
    heads = [
        case(
            f"alpha {alpha}, padding {padding}",
            "byHeads",
            core.conv_as_attention(image, kernel, alpha=alpha, padding=padding),
            **given,
            offsets=offsets,
            alpha=alpha,
            ring=int(padding == "zeros"),
        )
        for alpha in (0.0, 0.5, 3.0, 30.0)
        for padding in ("zeros", "none")
    ]
    sharp = core.conv_as_attention(image, kernel, alpha=1e3)
    looks = [
        case(
            f"head {h + 1} from pixel {i}",
            "look",
            core.conv_attention_weights((4, 4), 3, alpha=1.5)[h, i].reshape(4, 4),
            place=[i // 4, i % 4],
            offset=offsets[h],
            alpha=1.5,
            ring=0,
        )
        for h, i in ((0, 5), (5, 3), (8, 15))
    ]
    plain = case("a kernel that is not flipped", "convolve", sharp, **given)
    figure = widgets.ConvHeads(picture="3")
    alike = case("a three", "lookAlikes", figure.look_alikes, pixels=figure.pixels, sharpness=2.0)
    return [*heads, plain, *looks, alike]


def block_cases():
    """Tenth chapter: six tokens after some layers, their distances and norms after each."""
    whole = {"residual": True, "feed_forward": True}
    switched = [
        {"layer": 2},
        {"layer": 3, "norm": "pre", "draw": 5},
        {"layer": 2, "norm": "post", "feed_forward": True, "factor": 2.0},
        {"layer": 12, "residual": True, "draw": 3},
        {"layer": 12, "norm": "pre", "factor": 1.5, **whole},
        {"layer": 12, "norm": "post", "draw": 2, **whole},
        {"layer": 5, "norm": "none", "factor": 0.5, "draw": 4, **whole},
    ]
    stacks = [
        case(
            ", ".join(f"{name} {value}" for name, value in traits.items()),
            "block",
            np.concatenate([figure.tokens[figure.layer].ravel(), figure.distances, figure.norms]),
            traits=traits,
        )
        for traits in switched
        for figure in (widgets.BlockSwitches(**traits),)
    ]
    sizes = [{}, {"d": 64, "ratio": 1, "n": 131072}, {"d": 16384, "ratio": 8, "n": 16}]
    costs = [
        case(
            f"costs {traits}",
            "cost",
            [*figure.parameters.values(), *figure.work.values(), figure.even],
            traits=traits,
        )
        for traits in sizes
        for figure in (widgets.BlockCost(**traits),)
    ]
    return stacks + costs


def scrubber_cases():
    """The eleventh chapter's recording: maps, shares of right verbs, and what it says next."""
    return [
        case(
            f"moment {moment}, {data}",
            "training",
            np.concatenate([figure.weights.ravel(), figure.agreement, [figure.singular]]),
            traits={"moment": moment, "data": data},
        )
        for moment, data in ((0, "free"), (6, "free"), (15, "free"), (15, "never"))
        for figure in (widgets.TrainingScrubber(moment=moment, data=data),)
    ]


def layer_cases():
    """Every matrix of the layer at each stage, in the order of its flow."""
    own = {
        "words": ["a", "b", "c"],
        "X": [[1.0, -0.5], [0.25, 2.0], [-1.5, 0.75]],
        "W_q": [[1.0, 0.5], [-0.5, 2.0]],
        "W_k": [[0.5, 1.0], [1.5, -1.0]],
        "W_v": [[2.0], [-1.0]],
        "W_o": [[0.5, -1.5]],
        "W_1": [[1.0, -1.0, 0.5], [0.5, 0.25, -2.0]],
        "W_2": [[1.0, 0.0], [-0.5, 2.0], [0.25, 1.0]],
    }
    changes = [{"stage": stage} for stage in layer_explorer.STAGES]
    changes += [{"stage": stage, **own} for stage in layer_explorer.STAGES]
    changes += [
        {"stage": 2, "feature": 3.5},
        {"stage": 4, "head": 2, "strength": 0.0},
        {"stage": 5, "head": 3, "strength": 8.0},
        {"stage": 6, "masked": False},
        {"stage": 10, "masked": True, "head": 1, "strength": 2.5},
    ]
    return [
        case(
            f"stage {traits['stage']}, {', '.join([*traits][1:]) or 'as in the book'}",
            "layer",
            layer_numbers(widgets.LayerExplorer(**traits)),
            state=state(widgets.LayerExplorer(**traits)),
        )
        for traits in changes
    ]


def blockwise_cases():
    """The thirteenth chapter's figures: running numbers of a softmax in blocks, and bytes."""
    own = [-5.0, 5.0, 5.0, -2.5, 0.0, 4.5, 5.0, 3.0]
    falling = [5.0, 4.0, 3.0, 2.0, 1.0, 0.0, -1.0, -5.0]
    steps = [
        {"step": step, "block": block, **({"scores": scores} if scores else {})}
        for scores in (None, own, falling)
        for step, block in ((1, 1), (5, 1), (5, 2), (3, 4), (7, 3), (8, 3), (8, 8))
    ]
    running = [
        case(
            f"{traits['step']} read, block {traits['block']}, scores {figure.scores}",
            "running numbers",
            [figure.added, *(figure.running or ()), figure.answer],
            traits=traits,
        )
        for traits in steps
        for figure in (widgets.TileStepper(**traits),)
    ]
    sizes = (
        {},
        {"n": 64, "d": 256, "heads": 128, "layers": 1, "number": "1", "share": "all"},
        {"n": 131072, "d": 4096, "heads": 32, "layers": 32, "number": "2", "share": "4"},
    )
    bills = [
        case(
            f"bytes with {traits or 'the authored sizes'}",
            "bytes",
            [*figure.bytes.values(), figure.crossing],
            traits=traits,
        )
        for traits in sizes
        for figure in (widgets.MemoryBill(**traits),)
    ]
    return running + bills


def layer_numbers(figure):
    """Every matrix that the figure's stage has, as one row; those of a head for each head."""
    heads = range(figure.heads) if figure.stage >= layer_explorer.ALL_HEADS else [figure.head]
    first, *_ = heads
    parts = []
    for name in figure.matrices:
        for head in heads if name in layer_explorer.OF_A_HEAD else [first]:
            figure.head = head
            parts.append(figure.matrix(name).ravel())
    return np.concatenate(parts)


def head_browser_cases():
    """The twelfth chapter's figure: every head's two measures, the filters, and one row."""
    states = (
        {},
        {"weighted": True, "layer": 4, "head": 2},
        {"sentence": "passive-tired", "layer": 6, "head": 12, "query": 11, "widest": 2.5},
        {"sentence": "verb", "sinks": "others", "query": 16},
        {"sentence": "cat", "sinks": "sinks", "weighted": True, "widest": 1.0},
    )
    cases = []
    for traits in states:
        figure = widgets.HeadBrowser(**traits)
        row = figure.weights[min(figure.query, len(figure.tokens)) - 1]
        flat = {
            "onStart": figure.on_cls.ravel(),
            "bits": figure.bits.ravel(),
            "chosen": figure.chosen.ravel().astype(int),
            "row": row,
        }
        cases += [case(f"{traits}", name, numbers, **traits) for name, numbers in flat.items()]
    return cases


def training_cases():
    """Eleventh chapter: loss, gradients and twenty steps of Adam, as torch's autograd has them."""
    shape = {"n": 3, "v": 10, "d": 4, "asked": [0, 1, 2], "groups": 1, "c": 10, "drawn": 3}
    couple = {"n": 4, "v": 12, "d": 4, "asked": [3], "groups": 2, "c": 10, "drawn": 2}
    settings = [
        ("reverse", {**shape, "h": 1, "positions": True}, 1),
        ("reverse", {**shape, "h": 2, "positions": False}, 2),
        ("whom", {**couple, "h": 1, "positions": True}, 3),
        ("whom", {**couple, "h": 2, "positions": True}, 4),
    ]
    drawn = [
        case(f"{n} after {skip}", "uniforms", uniforms(n, 7, skip), count=n, seed=7, skip=skip)
        for n, skip in ((5, 0), (4, 3), (3, 2**31))
    ]
    trained = [
        case(
            f"{steps} steps of {task}, {given['h']} heads, positions {given['positions']}",
            "training",
            by_autograd(task, model.Shape(**given), seed, steps),
            **{"task": task, "shape": given, "seed": seed, "steps": steps, "rate": 0.02},
        )
        for task, given, seed in settings
        for steps in (1, 20)
    ]
    return drawn + trained


def by_autograd(task, shape, seed, steps):
    """Loss and gradients of the last of so many steps, then the weights after it, as one row."""
    import torch

    start = model.first_weights(shape, seed)
    weights = {name: torch.tensor(W, requires_grad=True) for name, W in start.items()}
    adam = torch.optim.Adam(weights.values(), lr=0.02)
    for t in range(steps):
        sequences, targets = model.examples(task, shape, 5, seed, skip=5 * t)
        places = weights["T"][shape.v :] if shape.positions else 0
        X = weights["T"][torch.tensor(sequences)] + places
        Q, K, V = (
            (X @ weights[name]).unflatten(-1, (shape.h, -1)).transpose(1, 2)
            for name in ("W_q", "W_k", "W_v")
        )
        looked = torch.nn.functional.scaled_dot_product_attention(Q, K, V)
        Y = looked.transpose(1, 2).flatten(2)[:, list(shape.asked)]
        logits = (Y @ weights["R"]).reshape(-1, shape.c)
        wanted = torch.tensor(targets.copy()).reshape(-1)
        loss = torch.nn.functional.cross_entropy(logits, wanted)
        adam.zero_grad()
        loss.backward()
        gradients = [W.grad.clone() for W in weights.values()]
        adam.step()
    parts = [loss.detach(), *gradients, *(W.detach() for W in weights.values())]
    return np.concatenate([part.numpy().ravel() for part in parts])


FILES = {
    "convolution": convolution_cases,
    "softmax": softmax_cases,
    "weighting": share_cases,
    "soft_lookup": soft_lookup_cases,
    "table_lookup": table_lookup_cases,
    "self_attention": self_attention_cases,
    "attention": attention_cases,
    "layer_norm": layer_norm_cases,
    "scaling": scaling_cases,
    "heads": head_cases,
    "masks": mask_cases,
    "positions": position_cases,
    "recurrence": recurrence_cases,
    "blockwise": blockwise_cases,
    "training": training_cases,
    "scrubber": scrubber_cases,
    "layer": layer_cases,
    "head_browser": head_browser_cases,
    "block": block_cases,
    "figures": figure_cases,
}


def question(case):
    """All of a case but its answer."""
    return json.dumps({**case, "result": None})


def is_same(old, new):
    """Whether two cases have the same arguments and, to 1e-12, the same result."""
    if question(old) != question(new):
        return False
    results = old["result"], new["result"]
    if not all(isinstance(result, list | float) for result in results):
        return results[0] == results[1]
    numbers = [np.array(result, dtype=float) for result in results]
    return numbers[0].shape == numbers[1].shape and np.allclose(*numbers, rtol=1e-12, atol=1e-12)


def read(stem):
    """The committed cases of a file; none if there is no such file yet."""
    path = HERE / f"{stem}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


def write(stem):
    """Write one file, one case per line; a case that is still the same keeps its line."""
    committed = {question(one): one for one in read(stem)}
    lines = []
    for new in FILES[stem]():
        old = committed.get(question(new), new)
        lines.append(json.dumps(old if is_same(old, new) else new))
    joined = ",\n".join(lines)
    (HERE / f"{stem}.json").write_text(f"[\n{joined}\n]\n", encoding="utf-8")


def main():
    """Write the files that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(FILES))
    names = parser.parse_args().names
    if unknown := set(names) - set(FILES):
        parser.error(f"no such file: {', '.join(sorted(unknown))}; there are {', '.join(FILES)}")
    for stem in names or FILES:
        write(stem)


if __name__ == "__main__":
    main()
