// Runs every regular expression of the server's source on long hostile texts. A pattern with
// quadratic time would let a message of ten thousand characters delay everybody.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';
import { expect, it } from 'vitest';

const SOURCE = fileURLToPath(new URL('../server/src/', import.meta.url));

interface Pattern {
  readonly where: string;
  readonly expression: RegExp;
}

function listPatterns(): Pattern[] {
  const found: Pattern[] = [];
  for (const file of globSync('**/*.ts', { cwd: SOURCE })) {
    if (/test|testing\//.test(file)) continue;
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      if ('type' in node && node.type === 'RegExpLiteral') {
        const { pattern, flags } = node as unknown as { pattern: string; flags: string };
        found.push({ where: file, expression: new RegExp(pattern, flags) });
      }
      for (const child of Object.values(node)) visit(child);
    };
    visit(parseSync(readFileSync(`${SOURCE}${file}`, 'utf8'), { syntax: 'typescript' }).body);
  }
  return found;
}

/**
 * The pieces of repeated texts: characters that patterns react to, and those that this pattern
 * names.
 */
const COMMON = 'a 0 < " - _ . @ / \\ = ( [ { * | : $ ~ ` é & # > ! a. 1, <a a= "a 0.'
  .split(' ')
  .concat(' ', '\n', 'a ', '\t', '\u200c');
const NAMED_MAX = 30;

function piecesOf({ source }: RegExp): readonly string[] {
  const signs = source
    .replaceAll(/\\(?:[a-zA-Z]|p\{[^}]*\}|u\{[^}]*\})/g, '')
    .replaceAll(/[\^$?+*(){}|[\]]/g, '');
  const words = source.match(/[a-zA-Z<:/"]{2,}/g) ?? [];
  return [...new Set([...COMMON, ...signs.split(''), ...words])].slice(
    0,
    COMMON.length + NAMED_MAX,
  );
}

function spendOn(expression: RegExp, text: string): number {
  expression.lastIndex = 0;
  const startedMs = performance.now();
  if (expression.global) text.replaceAll(expression, '');
  else expression.test(text);
  return performance.now() - startedMs;
}

/** The least of several runs, because other load only adds time. */
const leastOf = (times: number, measure: () => number): number =>
  Math.min(...Array.from({ length: times }, measure));

const SHORT = 4000;
const LONG = 4 * SHORT;
/** Faster runs are not worth a second look. */
const NOTICEABLE_MS = 10;
/** Four times the text may take four times as long; quadratic time would be sixteen. */
const GROWTH_MAX = 9;

function isSlow(expression: RegExp, make: (length: number) => string): boolean {
  const long = make(LONG);
  if (spendOn(expression, long) < NOTICEABLE_MS) return false;
  const longMs = leastOf(3, () => spendOn(expression, long));
  if (longMs < NOTICEABLE_MS) return false;
  const short = make(SHORT);
  return longMs / leastOf(3, () => spendOn(expression, short)) > GROWTH_MAX;
}

function findSlow({ expression }: Pattern): string | undefined {
  const first = expression.source.replaceAll(/[^a-zA-Z<"{#@:/`!-]/g, '').slice(0, 12);
  for (const piece of piecesOf(expression)) {
    for (const [start, end] of [
      ['', ''],
      ['', '\u0001'],
      ['', '!'],
      [first, '\u0001'],
    ] as const) {
      const make = (length: number) =>
        `${start}${piece.repeat(Math.ceil(length / piece.length))}${end}`;
      if (isSlow(expression, make))
        return `${JSON.stringify(piece)} again and again, then ${JSON.stringify(end)}`;
    }
  }
  return undefined;
}

it('finds quadratic time in a known case, and not in a linear one', () => {
  expect(findSlow({ where: '', expression: /0+$/ })).toBeDefined();
  expect(findSlow({ where: '', expression: /<[^>]*>/g })).toBeDefined();
  expect(findSlow({ where: '', expression: /(?<!0)0+$/ })).toBeUndefined();
});

it('no pattern of the server takes quadratic time', () => {
  const patterns = listPatterns();
  expect(patterns.length).toBeGreaterThan(200);
  const slow = patterns.flatMap((pattern) => {
    const text = findSlow(pattern);
    return text === undefined ? [] : [`${pattern.where}: ${String(pattern.expression)} on ${text}`];
  });
  expect(slow).toEqual([]);
});
