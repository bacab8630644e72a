// Reloads the page when its server says that something was saved since it was made.

const { search } = new URL(import.meta.url); // ?seen=3: the changes that the page has in it
new EventSource(`/changes${search}`).addEventListener("message", () => location.reload());
