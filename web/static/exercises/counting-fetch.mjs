/** A `fetch` that tells how many bytes all its answers together have brought so far. */

/**
 * @param {typeof fetch} fetch
 * @param {(loaded: number) => void} report
 */
export function countingFetch(fetch, report) {
  let loaded = 0;
  const count = () =>
    new TransformStream({
      transform(chunk, controller) {
        loaded += chunk.byteLength;
        report(loaded);
        controller.enqueue(chunk);
      },
    });
  return async (...request) => {
    const response = await fetch(...request);
    if (!response.ok || !response.body) return response;
    return new Response(response.body.pipeThrough(count()), response);
  };
}
