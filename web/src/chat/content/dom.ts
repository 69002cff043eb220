// Lets the browser's parser read HTML into an inert document: no script of it runs and nothing of it is fetched. The
// result is plain data; no node of that document is ever put into the page.
import { neutralize, PREFIX } from './neutral.ts';
import type { Element, Tree } from './tree.ts';

/** Deeper elements become text. The server's own limit for a whole message is 300, most of it in formulas. */
const DEPTH_MAX = 256;

interface Policy {
  createHTML(html: string): unknown;
}
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(html: string): string }): Policy;
}

let policy: Policy | undefined;

/** The one place where a text becomes HTML; the page's policy names it `content`. */
function trust(html: string): unknown {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return html;
  policy ??= trustedTypes.createPolicy('content', { createHTML: (one) => one });
  return policy.createHTML(html);
}

export const parseDocument = (html: string): Document =>
  new DOMParser().parseFromString(trust(neutralize(html)) as string, 'text/html');

export const parseHtml = (html: string): readonly Tree[] =>
  readChildren(parseDocument(html).body, 0);

function readChildren(parent: Node, depth: number): readonly Tree[] {
  const children: Tree[] = [];
  for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
    const { nodeType } = child;
    if (nodeType === Node.TEXT_NODE) children.push(child.nodeValue ?? '');
    else if (nodeType === Node.ELEMENT_NODE) children.push(readElement(child, depth));
  }
  return children;
}

function readElement(node: Node, depth: number): Element {
  const { localName, attributes } = node as globalThis.Element;
  const read: Record<string, string> = {};
  for (const { name, value } of attributes) {
    if (name.startsWith(PREFIX)) read[name.slice(PREFIX.length)] = value;
  }
  const children = depth < DEPTH_MAX ? readChildren(node, depth + 1) : [node.textContent ?? ''];
  return { name: localName, attributes: read, children };
}
