/** Write what the security policy blocks to the console, where a test reads it. */
export function reportViolations() {
  document.addEventListener("securitypolicyviolation", (event) =>
    console.error(`policy: ${event.violatedDirective} blocked ${event.blockedURI}`),
  );
}
