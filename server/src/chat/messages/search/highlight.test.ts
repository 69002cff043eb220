import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeHtml } from '../../../platform/std/html.ts';
import { highlight, wordsIn } from './highlight.ts';

const mark = (html: string, ...words: string[]) => highlight(html, new Set(words));

describe('highlighting', () => {
  it('marks whole words in the text', () => {
    expect(mark('<p>Big bigger big</p>', 'Big', 'big')).toBe(
      '<p><span class="highlight">Big</span> bigger <span class="highlight">big</span></p>',
    );
  });

  it('leaves tags, attributes and entities alone', () => {
    const html = '<p class="amp"><a href="/p?amp=1">p</a> &amp; &lt;p&gt;</p>';
    expect(mark(html, 'amp', 'lt', 'gt', 'class', 'href')).toBe(html);
    expect(mark(html, 'p')).toBe(
      '<p class="amp"><a href="/p?amp=1"><span class="highlight">p</span></a> ' +
        '&amp; &lt;<span class="highlight">p</span>&gt;</p>',
    );
  });

  it('keeps a Persian word with its half-space together', () => {
    expect(wordsIn('<p>کتاب\u200Cها را</p>')).toEqual(['کتاب\u200Cها', 'را']);
    expect(mark('<p>کتاب\u200Cها</p>', 'کتاب\u200Cها')).toBe(
      '<p><span class="highlight">کتاب\u200Cها</span></p>',
    );
  });

  it('adds marks, and otherwise changes nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), (words, text) => {
        const html = `<p>${escapeHtml(text)}</p>`;
        const marked = highlight(html, new Set([...words, ...wordsIn(html)]));
        return marked.replaceAll(/<span class="highlight">(.*?)<\/span>/gsu, '$1') === html;
      }),
    );
  });
});
