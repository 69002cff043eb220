import { expect, it } from 'vitest';
import { parseGuide } from './guide-files.ts';

const text = (facts: string) => `---\n${facts}\n---\n\nHello.\n`;
const FACTS = 'title: Signing\nsection: concepts\norder: 2\ndescription: "How: by keys."';

it('reads the facts of a page, its path and its language', () => {
  expect(parseGuide('docs/guide/concepts/signing.md', text(`${FACTS}\nkeywords: A, b c`))).toEqual({
    path: 'concepts/signing',
    language: 'en',
    title: 'Signing',
    section: 'concepts',
    order: 2,
    description: 'How: by keys.',
    markdown: '\nHello.\n',
    keywords: ['A', 'b c'],
    source: 'docs/guide/concepts/signing.md',
  });
});

it.each([
  ['docs/guide/index.md', '', 'en'],
  ['docs/guide/fa/index.md', '', 'fa'],
  ['docs/guide/fa/start/trader.md', 'start/trader', 'fa'],
  ['docs/guide/trading/index.md', 'trading', 'en'],
  ['docs/guide/start/fa/x.md', 'start/fa/x', 'en'],
])('%s is the page "%s" in %s', (file, path, language) => {
  expect(parseGuide(file, text(FACTS))).toMatchObject({ path, language });
});

it.each([
  ['no facts', 'Hello.\n', 'must begin with its facts'],
  ['a fact is missing', text('title: A\nsection: concepts\norder: 1'), 'description'],
  ['a fact is unknown', text(`${FACTS}\ncolour: red`), '"colour: red" is no fact'],
  ['a section is unknown', text(FACTS.replace('concepts', 'cooking')), 'no section cooking'],
  ['the order is no number', text(FACTS.replace('2', 'two')), 'order'],
])('refuses a file where %s', (_what, file, problem) => {
  expect(() => parseGuide('docs/guide/a.md', file)).toThrow(problem);
});
