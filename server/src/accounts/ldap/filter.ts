// The filter by which somebody is searched for. What was typed is a value in it, never a part of its grammar.

const PLACEHOLDER = '{username}';

/** The signs that mean something in a filter, and NUL (RFC 4515). */
export const escapeFilterValue = (text: string): string =>
  text
    .toWellFormed()
    // eslint-disable-next-line no-control-regex -- NUL is one of them.
    .replaceAll(/[*()\\\0]/g, (sign) => `\\${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);

export const fillFilter = (filter: string, username: string): string =>
  filter.replaceAll(PLACEHOLDER, () => escapeFilterValue(username));
