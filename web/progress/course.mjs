/**
 * What the site was built from, as far as progress needs it.
 * @typedef {{id: string, title: string}} Exercise
 * @typedef {{page: string, title: string, exercises: Exercise[]}} Chapter
 * @typedef {{passed: string, failed: string}} Headings  of a verdict: "✓ Passed"
 */

const FILE = new URL("./course.json", import.meta.url);
const SITE = new URL("../../", import.meta.url);

/**
 * The chapters with exercises, and the headings of a verdict.
 * @returns {Promise<{chapters: Chapter[], headings: Headings}>}
 */
export const loadCourse = async () => (await fetch(FILE)).json();

/** The address of a page, given as the course names it: "book/01-lookup.html#ex-01-softmax". @param {string} page */
export const addressOf = (page) => new URL(page, SITE);
