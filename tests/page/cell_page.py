"""The cells of a page as a reader meets them: their code, their buttons, what they show."""

from playwright.sync_api import expect


class CellOnPage:
    """One cell; a number that the page does not have waits for it in vain."""

    def __init__(self, page, number):
        self.page, self.number = page, number
        self.root = page.locator(f'.attn-cell[data-cell="{number}"]')
        self.editor = self.root.get_by_role("textbox")
        self.status = self.root.get_by_role("status")
        self.output = self.root.locator(".attn-cell-output")
        self.code = self.root.locator(".cell_input pre")

    def button(self, name):
        return self.root.get_by_role("button", name=name, exact=True)

    @property
    def state(self):
        return self.root.get_attribute("data-state")

    def finish(self, state="ran"):
        """Wait for a run to end in a state; one that ends otherwise fails with what it said."""
        expect(self.root).not_to_have_attribute("data-state", "running")
        assert self.state == state, f"{self.state}: {self.root.inner_text()}"

    def run(self, state="ran"):
        self.button("Run").click()
        self.finish(state)

    def write(self, code):
        """Put other code in the editor, opened if need be."""
        self.button("Edit").click()
        expect(self.editor).to_be_focused()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(code)

    def change(self, before, after):
        """Change a part of the code."""
        code = self.code.text_content()
        assert before in code, f"{before!r} is not in {code!r}"
        self.write(code.replace(before, after))


class CellsOfPage:
    """All cells, and the page's own buttons."""

    def __init__(self, page):
        self.page = page
        self.controls = page.locator(".attn-cells")
        self.status = self.controls.get_by_role("status")

    def __getitem__(self, number):
        return CellOnPage(self.page, number)

    def button(self, name):
        return self.controls.get_by_role("button", name=name, exact=True)

    @property
    def states(self):
        roots = self.page.locator(".attn-cell:not([data-needs])").all()
        return [root.get_attribute("data-state") for root in roots]

    def allow_time(self):
        """A busy machine may take long: only a test that asks for the limit meets it."""
        self.page.locator(".attn-cell, .attn-cell-unseen").evaluate_all(
            "roots => roots.forEach((root) => "
            "Object.assign(root.dataset, { timeLimit: 600, grace: 600 }))"
        )

    def run_all(self):
        self.allow_time()
        self.button("Run all cells").click()
        expect(self.controls).not_to_have_attribute("aria-busy", "true")

    def reset_page(self):
        """Take everything back, if there is anything."""
        if self.button("Reset the page").is_enabled():
            self.button("Reset the page").click()
            expect(self.button("Reset the page")).to_be_disabled()
