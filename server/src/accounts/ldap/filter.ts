// Builds the filter that searches for a person. The typed text is a value in it, never part of its
// grammar.

const PLACEHOLDER = '{username}';

/** The special characters of a filter, and NUL (RFC 4515). */
export const escapeFilterValue = (text: string): string =>
  text
    .toWellFormed()
    // eslint-disable-next-line no-control-regex -- NUL is one of them.
    .replaceAll(/[*()\\\0]/g, (sign) => `\\${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);

export const fillFilter = (filter: string, username: string): string =>
  filter.replaceAll(PLACEHOLDER, () => escapeFilterValue(username));
