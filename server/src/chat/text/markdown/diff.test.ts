import { describe, expect, it, vi } from 'vitest';
import { diffHtml } from './diff.ts';
import { render } from './render.ts';
import { findUnsafe } from './sanitize.ts';
import { EXAMPLE_ENV } from './test-env.ts';

vi.setConfig({ testTimeout: 60_000 });

const diff = (before: string, after: string): string =>
  diffHtml(render(before, EXAMPLE_ENV).html, render(after, EXAMPLE_ENV).html);

const deleted = (text: string) => `<span class="highlight_text_deleted">${text}</span>`;
const inserted = (text: string) => `<span class="highlight_text_inserted">${text}</span>`;

describe('the difference of two versions', () => {
  it('marks removed and added words', () => {
    expect(diff('hello old world', 'hello new world')).toBe(
      `<div><p>hello ${deleted('old')}${inserted('new')} world</p></div>`,
    );
  });

  it('marks text added at the end', () => {
    expect(diff('a', 'a b c')).toBe(`<div><p>a${inserted(' b c')}</p></div>`);
  });

  it('keeps the new structure, and marks only text', () => {
    expect(diff('a', '**a**')).toBe('<div><p><strong>a</strong></p></div>');
    expect(diff('a', '- b\n- c')).toBe(
      `<div>${deleted('a')} <ul>\n<li>${inserted('b')}</li>\n<li>${inserted('c')}</li>\n</ul></div>`,
    );
  });

  it('never puts text where a browser would move it', () => {
    const html = diff('one\n\n| a |\n|---|\n| old |\n| gone |', '| a |\n|---|\n| new |');
    expect(findUnsafe(html)).toBeUndefined();
    expect(html).not.toMatch(/<(?:tr|tbody|thead|table)>\s*<span/);
    expect(html).toContain(deleted('old'));
    expect(html).toContain('gone');
  });

  it('treats a mention, an emoji and a formula as one word', () => {
    expect(diff('x', '@**Ada Lovelace** x')).toBe(
      `<div><p>${inserted('<span class="user-mention" data-user-id="12">@Ada Lovelace</span> ')}x</p></div>`,
    );
    const html = diff('$$x$$', '$$y$$');
    expect(html).toMatch(/^<div><p><span class="highlight_text_deleted"><span class="katex">/);
    expect(html).not.toMatch(/<math[^>]*>(?:(?!<\/math>).)*highlight_text/s);
  });

  it('shows two very different texts one after the other, in bounded time', () => {
    const words = (prefix: string) =>
      Array.from({ length: 3000 }, (_none, index) => `${prefix}${index}`).join(' ');
    const html = diffHtml(`<p>${words('a')}</p>`, `<p>${words('b')}</p>`);
    expect(findUnsafe(html)).toBeUndefined();
    expect(html).toContain('a2999');
    expect(html).toContain('b2999');
  });
});
