// Properties of rendering that hold for every text.
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { diffHtml } from './diff.ts';
import { EMPTY_ENV } from './env.ts';
import { findReferences } from './references.ts';
import { render } from './render.ts';
import { findUnsafe } from './sanitize.ts';
import { foldMention } from './syntax.ts';
import { readHostile } from './test-corpus.ts';
import { EXAMPLE_ENV } from './test-env.ts';

vi.setConfig({ testTimeout: 120_000 });

const RUNS = { numRuns: 200 };

const pieces = [
  '*',
  '**',
  '~~',
  '`',
  '```',
  '~~~',
  '\n',
  '\n\n',
  ' ',
  '  ',
  '    ',
  '> ',
  '- ',
  '1. ',
  '# ',
  '[',
  '](',
  ')',
  '![',
  '|',
  '|--|',
  '$$',
  '@**',
  '@_**',
  '@*',
  '#**',
  '**',
  '>',
  ':',
  '<',
  '&',
  'Ada Lovelace',
  '|12',
  'general',
  'Lunch',
  '@214',
  'smile',
  'quote',
  'spoiler x',
  'math',
  'https://',
  'example.com',
  '/x.png',
  'a@b.co',
  '#123',
  'PROJ-',
  '<time:2026-01-02>',
  '\\',
  '"',
  '<script>',
  'onerror=',
  'javascript:',
  '🙂',
  '\u202e',
  '\u200b',
  '\ud800',
  '\0',
  'word',
  '---',
];

/** Texts made of the dialect's syntax, so that most of them trigger several rules at once. */
const markdown = fc
  .array(
    fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...pieces) }, fc.string({ unit: 'binary' })),
    {
      maxLength: 40,
    },
  )
  .map((parts) => parts.join(''));

describe('every text', () => {
  it('is rendered within the allow-list, and formatted', () => {
    fc.assert(
      fc.property(markdown, (content) => {
        const rendered = render(content, EXAMPLE_ENV);
        expect(findUnsafe(rendered.html)).toBeUndefined();
        expect(rendered.isPlain).toBe(false);
      }),
      RUNS,
    );
  });

  it('is rendered the same each time', () => {
    fc.assert(
      fc.property(markdown, (content) => {
        expect(render(content, EXAMPLE_ENV)).toEqual(render(content, EXAMPLE_ENV));
      }),
      RUNS,
    );
  });

  it('needs only the names that findReferences reports', () => {
    fc.assert(
      fc.property(markdown, (content) => {
        const wanted = findReferences(content);
        const has = (names: readonly string[], name: string) =>
          names.some((other) => foldMention(other) === foldMention(name));
        const channels = EXAMPLE_ENV.channels.filter(({ name }) => has(wanted.channelNames, name));
        const env = {
          ...EXAMPLE_ENV,
          users: EXAMPLE_ENV.users.filter(
            ({ id, fullName }) => wanted.userIds.includes(id) || has(wanted.userNames, fullName),
          ),
          groups: EXAMPLE_ENV.groups.filter(({ name }) => has(wanted.groupNames, name)),
          channels,
          topics: EXAMPLE_ENV.topics.filter(({ channelId, topic }) =>
            wanted.topics.some(
              (asked) =>
                foldMention(asked.topic) === foldMention(topic) &&
                channels.some(
                  ({ id, name }) =>
                    id === channelId && foldMention(name) === foldMention(asked.channelName),
                ),
            ),
          ),
          customEmoji: EXAMPLE_ENV.customEmoji.filter(({ name }) =>
            wanted.emojiNames.includes(name),
          ),
          uploads: EXAMPLE_ENV.uploads.filter(({ path }) => wanted.uploadPaths.includes(path)),
        };
        expect(render(content, env)).toEqual(render(content, EXAMPLE_ENV));
      }),
      RUNS,
    );
  });

  it('without syntax of the dialect is unchanged', () => {
    // Four spaces at the beginning are syntax: code.
    const word = fc.stringMatching(/^ {0,3}[a-zA-Z,;!?()][a-zA-Z,;!?() ]{0,39}$/);
    fc.assert(
      fc.property(word, (text) => {
        expect(render(text, EMPTY_ENV).html).toBe(`<p>${text.trim()}</p>`);
      }),
      RUNS,
    );
  });

  it('in a code block is kept character by character', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~ ]{1,60}$/), (text) => {
        fc.pre(text.trim() !== '' && !text.includes('~~~'));
        const { html } = render(`~~~~~~\n${text}\n~~~~~~`, EXAMPLE_ENV);
        const code = /<code>([^]*)\n<\/code>/.exec(html)?.[1] ?? '';
        const read = code
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&#39;', "'")
          .replaceAll('&amp;', '&');
        expect(read).toBe(text.trimEnd());
      }),
      RUNS,
    );
  });

  it('with hostile text inserted stays within the allow-list', () => {
    const hostile = readHostile().map(({ input }) => input.slice(0, 200));
    fc.assert(
      fc.property(markdown, fc.constantFrom(...hostile), markdown, (before, evil, after) => {
        expect(findUnsafe(render(before + evil + after, EXAMPLE_ENV).html)).toBeUndefined();
      }),
      RUNS,
    );
  });
});

describe('every edit', () => {
  const deleted = /<span class="highlight_text_deleted">[^]*?<\/span>/g;

  it('is shown as HTML within the allow-list', () => {
    fc.assert(
      fc.property(markdown, markdown, (before, after) => {
        const diff = diffHtml(render(before, EXAMPLE_ENV).html, render(after, EXAMPLE_ENV).html);
        expect(findUnsafe(diff)).toBeUndefined();
      }),
      RUNS,
    );
  });

  it('that changes nothing marks nothing', () => {
    fc.assert(
      fc.property(markdown, (content) => {
        const { html } = render(content, EXAMPLE_ENV);
        expect(diffHtml(html, html)).toBe(`<div>${html}</div>`);
      }),
      RUNS,
    );
  });

  it('shows the new words, in order, beside the old ones', () => {
    const words = fc.array(fc.constantFrom('red', 'green', 'blue', 'grey'), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(words, words, (before, after) => {
        const diff = diffHtml(`<p>${before.join(' ')}</p>`, `<p>${after.join(' ')}</p>`);
        const kept = diff.replaceAll(deleted, '').replaceAll(/<[^>]*>/g, '');
        expect(kept.split(/\s+/).filter(Boolean)).toEqual(after);
      }),
      RUNS,
    );
  });
});
