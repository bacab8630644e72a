"""Downloads that do not arrive, until a test lets them."""


class HeldDownloads:
    """Files of a page or a context that wait; those asked for after `release` come as ever.

    The route stays: Playwright cannot take one away while it waits for an answer, and complains
    about it in a later test.
    """

    def __init__(self, page, pattern):
        self._holds = True
        page.route(pattern, self._answer)

    def _answer(self, route):
        if not self._holds:
            route.continue_()

    def release(self):
        self._holds = False
