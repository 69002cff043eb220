// A browser does some of what attributes say even in an inert document: it holds each style and each handler to the
// page's content policy and reports it, and it asks for films. So every attribute gets a name that means nothing before
// the HTML is parsed, and its own name back afterwards. What was not renamed is not read.

const NAME = String.raw`[^\s=<>"'/]+`;
const VALUE = String.raw`\s?=\s?(?:"[^"]*"|'[^']*'|[^\s<>"']+)`;
const TAG = new RegExp(String.raw`<[a-z][a-z0-9]*(?:[\s/]+${NAME}(?:${VALUE})?)+[\s/]*>`, 'gi');
const ATTRIBUTE = new RegExp(String.raw`([\s/])(${NAME}(?:${VALUE})?)`, 'g');

export const PREFIX = 'x-';

/** The same HTML, with a prefix for each attribute. Texts stay as they are. */
export const neutralize = (html: string): string =>
  html.replaceAll(TAG, (tag) => tag.replaceAll(ATTRIBUTE, `$1${PREFIX}$2`));
