// Reads a block of code: its text, and which part of the language each piece is.
import type { Block, CodePart } from './nodes.ts';
import { markOf } from './read-inlines.ts';
import { classOf, isBlank, onlyChild, textOf, type Element, type Tree } from './tree.ts';

/** The class names of Pygments, by their first letters, and the colour of each; the style sheet has these names. */
const TOKENS: Readonly<Record<string, string>> = {
  c: 'comment',
  k: 'keyword',
  kc: 'constant',
  kt: 'type',
  s: 'string',
  se: 'constant',
  si: 'constant',
  ss: 'constant',
  m: 'number',
  il: 'number',
  o: 'operator',
  na: 'attribute',
  nb: 'type',
  bp: 'type',
  nc: 'type',
  nd: 'attribute',
  nf: 'function',
  fm: 'function',
  nn: 'type',
  no: 'constant',
  nt: 'keyword',
  nv: 'attribute',
  vc: 'attribute',
  py: 'attribute',
  gd: 'deleted',
  gi: 'inserted',
  gh: 'heading',
  gu: 'heading',
  ge: 'emphasis',
  gs: 'strong',
  gp: 'comment',
  cp: 'comment',
  err: 'deleted',
};

function tokenOf(name: string): string | undefined {
  if (!/^[a-z][a-z0-9]{0,3}$/.test(name)) return undefined;
  if (Object.hasOwn(TOKENS, name)) return TOKENS[name];
  const first = name.slice(0, 1);
  return Object.hasOwn(TOKENS, first) ? TOKENS[first] : undefined;
}

export function readCode(element: Element): Block | undefined {
  const pre = onlyChild(element);
  if (pre?.name !== 'pre') return undefined;
  const code = pre.children.find(
    (child): child is Element => typeof child === 'object' && child.name === 'code',
  );
  // The server writes an empty span before the code, as the highlighter that it follows does.
  const others = pre.children.filter((child) => child !== code && textOf(child).trim() !== '');
  if (code === undefined || others.length > 0 || pre.children.every(isBlank)) return undefined;
  const language = element.attributes['data-code-language'];
  return {
    kind: 'code-block',
    language: language === undefined || language === '' ? undefined : language.slice(0, 60),
    code: textOf(code).replace(/\n$/, ''),
    parts: code.children.map(readPart),
  };
}

function readPart(tree: Tree): CodePart {
  if (typeof tree === 'string') return tree;
  const names = classOf(tree);
  const isSpan = tree.name === 'span';
  return {
    token: isSpan ? tokenOf(names) : undefined,
    mark: isSpan ? markOf(names) : undefined,
    children: tree.children.map(readPart),
  };
}
