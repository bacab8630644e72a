"""An exercise on a page as a reader meets it: its editor, its buttons, what it says."""

from playwright.sync_api import expect

CHAPTER = "book/01-lookup.html"
# A reader who saves data downloads Python with the first run, and not before.
SAVES_DATA = 'Object.defineProperty(navigator, "connection", { value: { saveData: true } });'
IMPORTS = "import numpy as np\nfrom attn.exercises import check\n\n"


class ExerciseOnPage:
    def __init__(self, page, exercise="01-softmax"):
        self.page, self.id = page, exercise
        self.root = page.locator(f'.attn-exercise[data-exercise="{exercise}"]')
        self.editor = self.root.get_by_role("textbox")
        self.status = self.root.get_by_role("status")
        self.output = self.root.locator(".attn-exercise-output")
        self.solution = page.locator(f"#sol-{exercise}")

    def button(self, name):
        return self.root.get_by_role("button", name=name, exact=True)

    @property
    def state(self):
        return self.root.get_attribute("data-state")

    @property
    def text(self):
        lines = self.root.locator(".cm-line").all_text_contents()
        return "\n".join(lines)

    def show(self):
        """Come near enough for the editor to be there; a slow machine may take long to run it."""
        self.root.evaluate(
            "root => { Object.assign(root.dataset, { timeLimit: 600, grace: 600 }); }"
        )
        self.root.scroll_into_view_if_needed()
        self.editor.wait_for()
        return self

    def write(self, code):
        self.show()
        self.editor.focus()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(code)

    def finish(self, state):
        """Wait for a run to end in a state; a run that ends otherwise fails with what it said."""
        expect(self.root).not_to_have_attribute("data-state", "running")
        assert self.state == state, f"{self.state}: {self.root.inner_text()}"

    def run(self, code, state):
        self.write(code)
        self.button("Run").click()
        self.finish(state)

    def answer(self, body, state):
        """Run a cell that imports, defines and checks."""
        self.run(f'{IMPORTS}{body}\n\ncheck("{self.id}", softmax)\n', state)

    def wait_until_stored(self, text):
        stored = "(text) => Object.values(localStorage).some((kept) => kept.includes(text))"
        self.page.wait_for_function(stored, arg=text)

    def shown_solution(self):
        """The solution's code as the page shows it."""
        return self.solution.locator(".cell_input pre").text_content()
