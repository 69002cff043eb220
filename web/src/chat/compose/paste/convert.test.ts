import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTestHtml } from '../../content/test-html.ts';
import type { Element, Tree } from '../../content/tree.ts';
import { toMarkdown } from './convert.ts';

const markdown = (html: string): string => toMarkdown(parseTestHtml(html));

describe('in a line', () => {
  it.each([
    ['<b>bold</b> and <strong>strong</strong>', '**bold** and **strong**'],
    ['<i>a</i> <em>b</em> <s>c</s>', '*a* *b* ~~c~~'],
    ['<b><i>both</i></b>', '***both***'],
    ['<b>twice <strong>bold</strong></b>', '**twice bold**'],
    ['<b> spaces outside </b>x', '**spaces outside** x'],
    ['<b>two<br>lines</b>', '**two**\n**lines**'],
    ['<b>5 * 3</b>', '5 * 3'],
    ['<span style="font-weight:700">doc</span>', '**doc**'],
    ['<b style="font-weight:normal">a document</b>', 'a document'],
    ['run <code>npm ci</code>', 'run `npm ci`'],
    ['<code>a`b</code>', '`` a`b ``'],
    ['<a href="https://example.org/a(b)">here</a>', '[here](https://example.org/a%28b%29)'],
    ['<a href="https://example.org/">https://example.org/</a>', 'https://example.org/'],
    ['<a href="https://example.org/">[1]</a>', '[1] (https://example.org/)'],
    ['a\n   b&nbsp;c', 'a b c'],
    ['<img alt="a cat" src="https://example.org/cat.png">', '[a cat](https://example.org/cat.png)'],
  ])('%s', (html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  it.each([
    '<a href="javascript:alert(1)">text</a>',
    '<a href="data:text/html,x">text</a>',
    '<a href="/relative">text</a>',
    '<a href="vbscript:x">text</a>',
    '<a href="java&#39;script:x">text</a>',
    '<a>text</a>',
    '<img alt="text" src="data:image/png;base64,AAAA">',
  ])('an address that is not safe leaves its text alone: %s', (html) => {
    expect(markdown(html)).toBe('text');
  });
});

describe('blocks', () => {
  it.each([
    ['<p>a</p><p>b</p>', 'a\n\nb'],
    ['<h2>Title</h2><p>text</p>', '## Title\n\ntext'],
    ['<ul><li>a</li><li><p>b</p></li></ul>', '- a\n- b'],
    ['<ol start="3"><li>a</li><li>b</li></ol>', '3. a\n4. b'],
    ['<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', '- a\n  - b\n- c'],
    ['<ul><li>a</li><ul><li>b</li></ul></ul>', '- a\n  - b'],
    ['<ol><li>a<ul><li>b</li></ul></li></ol>', '1. a\n   - b'],
    ['<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
    ['<pre><code class="language-ts">a\n  b\n</code></pre>', '```ts\na\n  b\n```'],
    ['<pre>a ``` b\n```\n</pre>', '````\na ``` b\n```\n````'],
    ['<pre><div>a</div><div>b</div></pre>', '```\na\nb\n```'],
    ['a<hr>b', 'a\n\n---\n\nb'],
    [
      '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1|2</td></tr></tbody></table>',
      '| A | B |\n| --- | --- |\n| 1\\|2 |  |',
    ],
    ['<table><tr><td>only</td></tr><tr><td>one column</td></tr></table>', 'only\n\none column'],
    ['<table><tr><td><ul><li>a</li></ul></td><td>b</td></tr></table>', '- a\n\nb'],
    ['<a href="https://x.org/"><div>a card</div></a>', 'a card'],
    ['<style>p {}</style><script>x()</script><p>a</p>', 'a'],
  ])('%s', (html, expected) => {
    expect(markdown(html)).toBe(expected);
  });
});

const NAMES =
  `p div span b i s code a h1 h3 ul ol li blockquote pre table tbody tr td th section strong em u mark font
  figure figcaption dl dt dd custom-tag details summary sup small`.split(/\s+/);

const tree: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree; element: Element }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6 },
    fc.stringMatching(/^[a-zA-Zآ-ی0-9 \n*_[\]()|~`#>.-]{0,12}$/),
    tie('element'),
  ),
  element: fc.record({
    name: fc.constantFrom(...NAMES),
    attributes: fc.constantFrom<Record<string, string>>(
      {},
      { href: 'https://example.org/' },
      { href: 'javascript:alert(1)' },
      { style: 'font-weight: bold; font-style: italic' },
      { start: '-7', class: 'language-x' },
    ),
    children: fc.array(tie('tree'), { maxLength: 4 }),
  }),
})).tree;

/** The letters and digits that a reader sees, in their order. */
const lettersIn = (trees: readonly Tree[]): string =>
  trees
    .map((one) => (typeof one === 'string' ? one : lettersIn(one.children)))
    .join('')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

it('no letter of the text is lost, and all stay in their order', () => {
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 5 }), (trees) => {
      const made = toMarkdown(trees);
      let at = 0;
      for (const letter of lettersIn(trees)) {
        at = made.indexOf(letter, at) + 1;
        expect(at, `${letter} of ${JSON.stringify(trees)} in ${made}`).toBeGreaterThan(0);
      }
    }),
    { numRuns: 2000 },
  );
});

it('no address of another scheme comes through', () => {
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 5 }), (trees) => {
      expect(toMarkdown(trees)).not.toContain('javascript:');
    }),
  );
});

it('a paste as deep as the parser lets it be is read to its end', () => {
  let deep: readonly Tree[] = ['the end'];
  for (let depth = 0; depth < 256; depth++) {
    deep = [{ name: depth % 2 === 0 ? 'ul' : 'li', attributes: {}, children: deep }];
  }
  expect(toMarkdown(deep)).toMatch(/^[- ]*the end$/);
});
