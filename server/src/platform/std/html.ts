// The one way in which text becomes HTML.

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For everywhere: in elements and in attributes, whichever quotes they have. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** Only for the content of elements. Quotes stay as they are. */
export const escapeText = (text: string): string =>
  text.replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? '');

/** Only for attributes in double quotes, and for elements. */
export const escapeAttribute = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
