/** The server wraps what changed between two versions in one element. Messages have none like it, so it stays unknown
 *  to their reader, and is taken off here. */
export const unwrapDifference = (html: string): string =>
  html.replace(/^<div>([^]*)<\/div>$/, '$1');
