// Tries a linkifier on a text, in the browser. The server's patterns are RE2; what both understand is tried here, and
// the server has the last word when it is saved.

export type Tried =
  | { readonly kind: 'links'; readonly links: readonly { text: string; href: string }[] }
  | { readonly kind: 'badPattern'; readonly why: string }
  | { readonly kind: 'badTemplate'; readonly name: string };

const TEXT_MAX = 1000;
const LINKS_MAX = 20;

export function tryLinkifier(pattern: string, template: string, text: string): Tried {
  let compiled: RegExp;
  try {
    // Python and RE2 write (?P<name>…) where JavaScript has (?<name>…).
    compiled = new RegExp(pattern.replaceAll('(?P<', '(?<'), 'gu');
  } catch (error) {
    return { kind: 'badPattern', why: error instanceof Error ? error.message : String(error) };
  }
  const known = new Set(
    Array.from(pattern.matchAll(/\(\?P?<([A-Za-z_]\w*)>/g), ([, name]) => name ?? ''),
  );
  const missing = namesIn(template).find((name) => !known.has(name));
  if (missing !== undefined) return { kind: 'badTemplate', name: missing };
  const links: { text: string; href: string }[] = [];
  for (const match of text.slice(0, TEXT_MAX).matchAll(compiled)) {
    if (match[0] === '') continue;
    const groups: Readonly<Record<string, string | undefined>> = match.groups ?? {};
    const href = template.replace(VARIABLE, (_, name: string) =>
      encodeURIComponent(groups[name] ?? ''),
    );
    links.push({ text: match[0], href });
    if (links.length === LINKS_MAX) break;
  }
  return { kind: 'links', links };
}

const VARIABLE = /\{\+?(\w+)\}/g;
const namesIn = (template: string): string[] =>
  Array.from(template.matchAll(VARIABLE), ([, name]) => name ?? '');
