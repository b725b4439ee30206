import DOMPurify from "dompurify";

const purify = DOMPurify();
purify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A") return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer");
});

const LEFT_OUT = { FORBID_TAGS: ["style", "form"], FORBID_ATTR: ["style", "class", "id"] };

/** HTML without scripts, forms, and whatever could pass for a part of the app. */
export function harmless(html: string): string {
  return purify.sanitize(html, LEFT_OUT);
}
