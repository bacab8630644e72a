"""The menu of downloads and the mark in the contents, which come without Bootstrap's script."""

from playwright.sync_api import expect

PAGE = "book/05-multi-head.html"


def test_the_menu_opens_by_click_and_closes_by_a_click_elsewhere(open_page):
    page = open_page(PAGE)
    button = page.get_by_role("button", name="Notebook").first
    entry = page.locator(".dropdown-menu a").first
    expect(entry).to_be_hidden()
    button.click()
    expect(entry).to_be_visible()
    expect(button).to_have_attribute("aria-expanded", "true")
    page.locator(".bd-article h1").click()
    expect(entry).to_be_hidden()


def test_the_menu_is_usable_by_keyboard(open_page):
    page = open_page(PAGE)
    button = page.get_by_role("button", name="Notebook").first
    entries = page.locator(".dropdown-menu a")
    button.focus()
    page.keyboard.press("ArrowDown")
    expect(entries.first).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(entries.last).to_be_focused()
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    expect(entries.first).to_be_hidden()


def test_the_contents_mark_the_section_that_is_read(open_page):
    page = open_page(PAGE)
    marked = page.locator(".bd-toc-nav a.active")
    expect(marked).to_have_count(0)
    links = page.locator(".bd-toc-nav a")
    for at in (3, 0):
        link = links.nth(at)
        page.locator(link.get_attribute("href")).evaluate("it => it.scrollIntoView()")
        expect(marked).to_have_count(1)
        expect(marked).to_have_text(link.inner_text())
        expect(marked).to_have_attribute("aria-current", "true")
