// Renders the hostile corpus: nothing leaves the allow-list or takes long. e2e/markdown.e2e.ts shows what a browser
// makes of the same outputs.
import { describe, expect, it, vi } from 'vitest';
import { EMPTY_ENV, type RenderEnv } from './env.ts';
import { diffHtml } from './diff.ts';
import { IN_PROCESS_UNITS, MAX_UNITS } from './limits.ts';
import { findReferences } from './references.ts';
import { isQuick } from './render-pool.ts';
import { render } from './render.ts';
import { HOSTILE_TEXTS } from '../../../testing/hostile-texts.ts';
import { contentOf } from '../../notifications/push/rules.ts';
import { highlight, wordsIn } from '../../messages/search/highlight.ts';
import { findUnsafe } from './sanitize.ts';
import { readHostile } from './test-corpus.ts';
import { EXAMPLE_ENV } from './test-env.ts';
import { findTopicLinks } from './topic-links.ts';

// These tests measure processor time, so the wall clock gets a generous limit: other programs may be running.
vi.setConfig({ testTimeout: 120_000 });

const MAX_CPU_MS = 250;
const hostile = readHostile();
const groups = [...new Set(hostile.map(({ group }) => group))];

/**
 * Processor time, which other programs do not influence. The best of three, as garbage collection can fall into any
 * of them.
 */
function cpuMs(work: () => unknown): number {
  let best = Infinity;
  for (let round = 0; round < 3 && best > MAX_CPU_MS / 2; round += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

const isDangerous = (tag: string): boolean =>
  /^<\/?(?:script|iframe|object|embed|style|link|meta|base|form)/i.test(tag) ||
  /\son\w+/i.test(tag.replaceAll(/"[^"]*"/g, '')) ||
  /(?:href|src)="\s*(?:javascript|data|vbscript|file|blob):/i.test(tag);

it('the oracle recognises danger', () => {
  for (const tag of ['<script>', '<a href="javascript:x">', '<img src="x" onerror="x">'])
    expect(isDangerous(tag)).toBe(true);
  expect(isDangerous('<a href="https://x.example/onerror=" title="on x">')).toBe(false);
});

it('the corpus is large, and includes a megabyte of stars', () => {
  expect(hostile.length).toBeGreaterThanOrEqual(200);
  expect(hostile.some(({ input }) => input === '*'.repeat(1_000_000))).toBe(true);
});

describe.each(groups)('%s', (group) => {
  const inputs = hostile.filter((entry) => entry.group === group).map(({ input }) => input);

  it('renders within the allow-list', () => {
    for (const input of inputs) {
      const { html } = render(input, EXAMPLE_ENV);
      expect(findUnsafe(html), input.slice(0, 100)).toBeUndefined();
      // A check that knows nothing about the renderer: no tag has an event handler or a scheme that runs code.
      const tags = html.match(/<[^>]*>/g) ?? [];
      expect(tags.filter((tag) => isDangerous(tag))).toEqual([]);
    }
  });

  it(`takes at most ${MAX_CPU_MS} ms of processor time each`, () => {
    for (const input of inputs)
      expect(
        cpuMs(() => render(input, EXAMPLE_ENV)),
        input.slice(0, 60),
      ).toBeLessThan(MAX_CPU_MS);
  });

  it('is searched for references and compared within the same time', () => {
    for (const input of inputs) {
      const { html } = render(input, EXAMPLE_ENV);
      expect(
        cpuMs(() => findReferences(input)),
        input.slice(0, 60),
      ).toBeLessThan(MAX_CPU_MS);
      const diff = () => diffHtml(html, `<p>something else</p>\n${html}`);
      expect(cpuMs(diff), input.slice(0, 60)).toBeLessThan(MAX_CPU_MS);
      expect(findUnsafe(diff()), input.slice(0, 60)).toBeUndefined();
    }
  });
});

describe('every attack in every context', () => {
  const expectSafe = (html: string, text: string): void => {
    expect(findUnsafe(html), text).toBeUndefined();
    expect(
      (html.match(/<[^>]*>/g) ?? []).filter((tag) => isDangerous(tag)),
      text,
    ).toEqual([]);
  };

  it('there are more than three hundred', () => {
    expect(new Set(HOSTILE_TEXTS.map(({ text }) => text)).size).toBeGreaterThan(300);
  });

  it('is harmless in a message, with every word highlighted, and in differences', () => {
    let last = '';
    for (const { text } of HOSTILE_TEXTS) {
      const { html } = render(text, EXAMPLE_ENV);
      expectSafe(html, text);
      expectSafe(highlight(html, new Set(wordsIn(html))), text);
      expectSafe(diffHtml(last, html), text);
      last = html;
    }
  });

  it('is harmless in a message that is too long or too deep to be formatted', () => {
    for (const { text } of HOSTILE_TEXTS) {
      expectSafe(render(`${'> '.repeat(200)}${text}`, EXAMPLE_ENV).html, text);
    }
  });

  it('makes no topic links except to web pages and email addresses', () => {
    for (const { text } of HOSTILE_TEXTS) {
      for (const { url } of findTopicLinks(text, EXAMPLE_ENV.linkifiers)) {
        expect(url, text).toMatch(/^(?:https?:\/\/|mailto:)[^\s"<>]*$/i);
      }
    }
  });

  it('leaves no tag of ours and no broken character in a notification', () => {
    for (const { text } of HOSTILE_TEXTS) {
      const content = contentOf(render(text, EXAMPLE_ENV).html);
      expect(content.isWellFormed(), text).toBe(true);
      // Only authors of texts with these characters can have written something that looks like a tag.
      if (!/[<&]/.test(text)) expect(content, text).not.toContain('<');
    }
  });
});

it('rendering outside a thread is quick in the worst case', () => {
  const env: RenderEnv = { ...EXAMPLE_ENV, linkifiers: [] };
  let tried = 0;
  for (const { input } of hostile) {
    const short = input.slice(0, IN_PROCESS_UNITS);
    if (!isQuick(short, env)) continue;
    tried += 1;
    expect(
      cpuMs(() => render(short, env)),
      short.slice(0, 60),
    ).toBeLessThan(50);
  }
  expect(tried).toBeGreaterThan(300);
});

it('four times the text takes about four times as long: no rule is quadratic', () => {
  const units = hostile
    .filter(({ group, input }) => group === 'repeat' && isQuick(input.slice(0, 100), EMPTY_ENV))
    .map(({ input }) => input.slice(0, 12));
  const total = (length: number): number => {
    let ms = 0;
    for (const unit of units) {
      const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
      let best = Infinity;
      for (let round = 0; round < 2; round += 1) {
        const before = process.cpuUsage();
        render(text, EMPTY_ENV);
        const { user, system } = process.cpuUsage(before);
        best = Math.min(best, user + system);
      }
      ms += best / 1000;
    }
    return ms;
  };
  total(1_000);
  const [short, long] = [total(MAX_UNITS / 16), total(MAX_UNITS / 4)];
  // Four times the text: four times the time if linear, sixteen times if quadratic.
  expect(long / short).toBeLessThan(9);
});
