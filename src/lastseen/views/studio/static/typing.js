// What is typed into a field and not taken yet? It counts as unsaved work, from the first letter on.

// `take` does with what is typed what leaving the field would do.
export function typedInto(input, take) {
  input.shown = input.value;
  input.take = take;
  return input;
}

// Does a field hold something else than it was made with?
export const isTyped = (node) => node.matches("input, textarea") && node.value !== (node.shown ?? "");

// The field of a part of the page that is being typed into; null: there is none.
export function typedIn(...nodes) {
  const node = document.activeElement;
  return node?.take && isTyped(node) && nodes.some((one) => one.contains(node)) ? node : null;
}

// Work is kept soon after every letter, and at once when the page goes or is hidden; it does not go unasked.
export function watchTyping(nodes, { keep, keepSoon, isDirty }) {
  for (const node of nodes) node.addEventListener("input", keepSoon);
  addEventListener("beforeunload", (event) => {
    keep();
    if (isDirty() || typedIn(...nodes)) event.preventDefault();
  });
  addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && keep());
}
