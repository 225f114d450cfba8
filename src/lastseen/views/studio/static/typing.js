// Text typed into a field but not yet committed counts as unsaved work from the first letter on.

// `take` commits the text as leaving the field would.
export function typedInto(input, take) {
  input.shown = input.value;
  input.take = take;
  return input;
}

// Whether a field differs from its initial value.
export const isTyped = (node) => node.matches("input, textarea") && node.value !== (node.shown ?? "");

// The field inside these nodes that is being typed into; null: none.
export function typedIn(...nodes) {
  const node = document.activeElement;
  return node?.take && isTyped(node) && nodes.some((one) => one.contains(node)) ? node : null;
}

// Store work soon after every letter, and at once when the page is hidden or closed; ask before losing it.
export function watchTyping(nodes, { keep, keepSoon, isDirty }) {
  for (const node of nodes) node.addEventListener("input", keepSoon);
  addEventListener("beforeunload", (event) => {
    keep();
    if (isDirty() || typedIn(...nodes)) event.preventDefault();
  });
  addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && keep());
}
