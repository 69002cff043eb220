// The dot encoding of addresses: dots replace percent signs, since some programs decode the fragment.

export function encodeComponent(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll(
      /[.()!'*~]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    )
    .replaceAll('%', '.');
}

/**
 * Reads both encodings, for a browser may have put percent signs into a link that a person wrote by hand. A dot that
 * begins no code is a dot. Undefined if the codes are no text.
 */
export function decodeComponent(encoded: string): string | undefined {
  const percents = encoded
    .replaceAll(/%(?![0-9a-f]{2})/gi, '%25')
    .replaceAll(/\.(?=[0-9a-f]{2})/gi, '%');
  try {
    return decodeURIComponent(percents);
  } catch {
    return undefined;
  }
}

/** A name never looks like an id in an address: its first digit is written as a code. */
export const encodeName = (name: string): string =>
  encodeComponent(name).replace(/^[0-9]/, (digit) => `.3${digit}`);

/** The readable tail of an id. */
export const encodeSlug = (name: string): string => encodeComponent(name.replaceAll(' ', '-'));
