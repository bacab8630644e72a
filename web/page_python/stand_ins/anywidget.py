"""What a figure's class needs of anywidget where no kernel talks to a page.

The page mounts the figure from ``get_state`` and has its drawing from the site.
"""

import contextlib

import traitlets


class AnyWidget(traitlets.HasTraits):
    """A set of traits with a name; nothing is sent when one changes."""

    _anywidget_id = traitlets.Unicode().tag(sync=True)

    @traitlets.default("_anywidget_id")
    def _name(self):
        return f"{type(self).__module__}.{type(self).__name__}"

    def get_state(self):
        """The values that make the figure what it is, for the page to mount."""
        return {name: getattr(self, name) for name in self.traits(sync=True)}

    @contextlib.contextmanager
    def hold_sync(self):
        yield
