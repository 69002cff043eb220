// Reads the HTML of our server in tests without a browser. It knows that HTML alone: elements that are closed, quoted
// attributes, six entities. Everything else is shown to a real browser in e2e/web/content.e2e.ts.
import type { Element, Tree } from './tree.ts';

const TOKEN = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"]*"|='[^']*')?)*)\s*(\/?)>|[^<]+/g;
const ATTRIBUTE = /([a-zA-Z-]+)(?:="([^"]*)"|='([^']*)')?/g;
const VOID: ReadonlySet<string> = new Set(['br', 'hr', 'img']);
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': '\u00a0',
  '&#39;': "'",
  '&#x27;': "'",
};

const unescape = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|nbsp|#39|#x27);/g, (entity) => ENTITIES[entity] ?? entity);

interface Open {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: Tree[];
}

export function parseTestHtml(html: string): readonly Tree[] {
  const root: Open = { name: '', attributes: {}, children: [] };
  const stack = [root];
  for (const [token, slash, name, attributes = '', selfClosing] of html.matchAll(TOKEN)) {
    const parent = stack.at(-1) ?? root;
    if (name === undefined) {
      parent.children.push(unescape(token));
    } else if (slash === '/') {
      if (stack.pop()?.name !== name) throw new Error(`</${name}> closes what was not open.`);
    } else {
      const element: Open & Element = {
        name,
        attributes: readAttributes(attributes),
        children: [],
      };
      parent.children.push(element);
      if (selfClosing === '' && !VOID.has(name)) stack.push(element);
    }
  }
  if (stack.length !== 1) throw new Error(`<${stack.at(-1)?.name ?? ''}> was not closed.`);
  return root.children;
}

const readAttributes = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', double, single]) => [
      name,
      unescape(double ?? single ?? ''),
    ]),
  );
