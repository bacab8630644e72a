"""Changes to chapter 1's solutions that still solve the exercise, each with the reason why."""

BETA_START = "low, high = (0.0, 1.0)"
BETA_GROWS = "high = 2 * high"
BETA_LOOP = "while 1 / np.exp(-high * gaps).sum() < 0.99:"
BETA_TEST = "if 1 / np.exp(-middle * gaps).sum() < 0.99:"
BETA_HALVINGS = "for _ in range(50):"
ANGLES = "angles = np.linspace(0, 2 * np.pi, 360)"
DIRECTIONS = "directions = np.stack([np.cos(angles), np.sin(angles)])"
DECISION = "return bool(np.all(output @ directions <= furthest + 1e-09))"

EQUIVALENT = {
    "01-choose-beta": {
        f"{BETA_START} => low, high = (0.0, 2.0)": "any upper end will do: it is doubled or halved",
        f"{BETA_START} => low, high = (0.0, 0.5)": "any upper end will do: it is doubled or halved",
        f"{BETA_LOOP} => {BETA_LOOP.replace('<', '<=')}": "equality at a power of two never occurs",
        f"{BETA_LOOP} => {BETA_LOOP.replace('exp', 'exp2')}": "only asks for a higher upper end",
        f"{BETA_GROWS} => high = 2 + high": "the upper end still grows without limit",
        f"{BETA_GROWS} => high = 3 * high": "the upper end still grows without limit",
        f"{BETA_GROWS} => high = 4 * high": "the upper end still grows without limit",
        f"{BETA_GROWS} => high = -2 * high": "a negative end is never sharp; its double is tried",
        f"{BETA_GROWS} => high = 2 * -high": "a negative end is never sharp; its double is tried",
        f"{BETA_HALVINGS} => for _ in range(49):": "the interval is below 1e-12 by then",
        f"{BETA_HALVINGS} => for _ in range(51):": "one more halving changes nothing",
        f"{BETA_HALVINGS} => for _ in range(100):": "more halvings change nothing",
        f"{BETA_TEST} => {BETA_TEST.replace('<', '<=')}": "moves one end of an interval of 1e-12",
        "return high => return low": "the two ends differ by less than 1e-12",
        "return high => return middle": "the middle lies between two ends 1e-12 apart",
    },
    "01-inside-the-hull": {
        f"{ANGLES} => {ANGLES.replace('(0', '(-1')}": "goes round once and a little more",
        f"{ANGLES} => {ANGLES.replace('360', '359')}": "still about one direction per degree",
        f"{ANGLES} => {ANGLES.replace('360', '361')}": "still about one direction per degree",
        f"{ANGLES} => {ANGLES.replace('360', '720')}": "more directions than needed",
        f"{ANGLES} => {ANGLES.replace('2 *', '3 *')}": "goes round one and a half times",
        f"{ANGLES} => {ANGLES.replace('2 *', '4 *')}": "goes round twice",
        f"{ANGLES} => {ANGLES.replace('2 *', '-2 *')}": "goes round clockwise",
        f"{DIRECTIONS} => {DIRECTIONS.replace('cos(a', 'cos(-a')}": "the cosine is even",
        f"{DIRECTIONS} => {DIRECTIONS.replace('sin(a', 'sin(-a')}": "goes round clockwise",
        f"{DIRECTIONS} => directions = [np.cos(angles), np.sin(angles)]": "@ reads a list of rows",
        f"{DECISION} => {DECISION.replace('bool(', '', 1)[:-1]}": "NumPy's own bool is a bool too",
        f"{DECISION} => {DECISION.replace('<=', '<')}": "with slack, equality does not matter",
        f"{DECISION} => {DECISION.replace('1e-09', '2e-09')}": "any slack near 1e-9 is allowed",
        f"{DECISION} => {DECISION.replace('1e-09', '5e-10')}": "any slack near 1e-9 is allowed",
    },
}
