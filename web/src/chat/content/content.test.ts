import { describe, expect, it } from 'vitest';
import { render } from '../../../../server/src/chat/text/markdown/render.ts';
import { diffHtml } from '../../../../server/src/chat/text/markdown/diff.ts';
import { readCases, readHostile } from '../../../../server/src/chat/text/markdown/test-corpus.ts';
import { EXAMPLE_ENV } from '../../../../server/src/chat/text/markdown/test-env.ts';
import { HOSTILE_TEXTS } from '../../../../server/src/testing/hostile-texts.ts';
import { unwrapDifference } from './difference.ts';
import { sideOf } from './direction.ts';
import { splitLines } from './lines.ts';
import type { Block, ContentNode, Inline } from './nodes.ts';
import { isOnlyEmoji, readBlocks } from './read-blocks.ts';
import { DIRECTED } from './test-directions.ts';
import { parseTestHtml } from './test-html.ts';

const read = (html: string): readonly Block[] => readBlocks(parseTestHtml(html));
const written = (markdown: string): readonly Block[] => read(render(markdown, EXAMPLE_ENV).html);

/** Every node of a message, whatever it is in. */
function allOf(nodes: readonly ContentNode[]): readonly ContentNode[] {
  return nodes.flatMap((node): readonly ContentNode[] => {
    const inner: ContentNode[] = [];
    if ('children' in node) inner.push(...node.children);
    if (node.kind === 'list') inner.push(...node.items.flat());
    if (node.kind === 'spoiler') inner.push(...node.header);
    if (node.kind === 'table') {
      inner.push(...[...node.head, ...node.body].flat().flatMap((cell) => cell.children));
    }
    return [node, ...allOf(inner)];
  });
}

const inline = (html: string): Inline | undefined => {
  const [block] = read(`<p>${html}</p>`);
  return block?.kind === 'paragraph' ? block.children[0] : undefined;
};

describe('the content of a message', () => {
  it.each(readCases())('is known whole: $input', ({ html }) => {
    expect(allOf(read(html)).filter(({ kind }) => kind === 'unknown')).toEqual([]);
  });

  it('of two versions has what went and what came, and nothing unknown', () => {
    const html = diffHtml(
      render('First **bold** @**all**', EXAMPLE_ENV).html,
      render('Second *bold* text', EXAMPLE_ENV).html,
    );
    const nodes = allOf(read(unwrapDifference(html)));
    expect(nodes.filter(({ kind }) => kind === 'unknown')).toEqual([]);
    const marks = nodes.flatMap((node) => (node.kind === 'mark' ? [node.mark] : []));
    expect(new Set(marks)).toEqual(new Set(['deleted', 'inserted']));
  });

  it('is known whole for hostile texts too, and has safe addresses alone', () => {
    const texts = [
      ...HOSTILE_TEXTS.map(({ text }) => text),
      ...readHostile().map(({ input }) => input),
    ];
    for (const text of texts) {
      const { html } = render(text.slice(0, 2000), EXAMPLE_ENV);
      for (const node of allOf(read(html))) {
        if (node.kind === 'unknown') {
          // A picture that the server would show from elsewhere, but not we.
          expect(html, text).toMatch(/<img [^>]*class="emoji"[^>]*javascript:|evil_emoji/);
        }
        if ('href' in node) expect(node.href, text).toMatch(/^(?:https?:|mailto:|tel:|sms:|\/)/);
        if ('src' in node && node.src !== undefined) {
          expect(node.src, text).toMatch(
            /^\/(?:user_uploads|user_avatars|external_content|static)\//,
          );
        }
      }
    }
  });

  it('has every kind of mention', () => {
    const of = (html: string) => {
      const node = inline(html);
      return node?.kind === 'mention' ? [node.of, node.isSilent, node.text] : undefined;
    };
    expect(of('<span class="user-mention" data-user-id="12">@Ada</span>')).toEqual([
      { what: 'person', id: 12 },
      false,
      '@Ada',
    ]);
    expect(of('<span class="user-mention silent" data-user-id="12">Ada</span>')).toEqual([
      { what: 'person', id: 12 },
      true,
      'Ada',
    ]);
    expect(of('<span class="user-mention" data-user-id="*">@all</span>')).toEqual([
      { what: 'everybody' },
      false,
      '@all',
    ]);
    expect(of('<span class="user-group-mention" data-user-group-id="7">@devs</span>')).toEqual([
      { what: 'group', id: 7 },
      false,
      '@devs',
    ]);
    expect(of('<span class="topic-mention silent">topic</span>')).toEqual([
      { what: 'topic' },
      true,
      'topic',
    ]);
  });

  it('has blocks of code with their language, their text and the kinds of their parts', () => {
    const [block] = written('```python\nprint("hi")  # say it\n```');
    expect(block).toMatchObject({
      kind: 'code-block',
      language: 'Python',
      code: 'print("hi")  # say it',
    });
    const tokens =
      block?.kind === 'code-block'
        ? block.parts.map((part) => (typeof part === 'string' ? part : part.token))
        : [];
    expect(tokens).toContain('string');
    expect(tokens).toContain('comment');
  });

  it('has formulas as MathML, with the letters that ℝ and its like need', () => {
    const [block] = written('```math\nx \\in \\mathbb{R}\n```');
    expect(block).toMatchObject({
      kind: 'formula-block',
      formula: { tex: 'x \\in \\mathbb{R}', isDisplayed: true },
    });
    expect(JSON.stringify(block)).toContain('ℝ');
    expect(JSON.stringify(block)).not.toMatch(/katex|style|class/);
  });

  it('boxes pictures by their own size, and loads none of another server', () => {
    const image = (src: string) =>
      read(
        `<div class="message_inline_image"><a href="https://x.example/a.png"><img src="${src}" data-original-dimensions="800x600"></a></div>`,
      )[0];
    expect(image('/user_uploads/thumbnail/2/a.png/840x560.webp')).toMatchObject({
      kind: 'preview',
      what: 'image',
      size: { width: 800, height: 600 },
      src: '/user_uploads/thumbnail/2/a.png/840x560.webp',
    });
    for (const src of [
      'https://x.example/a.png',
      '//x.example/a.png',
      '/user_uploads/../json/x',
      '/accounts/logout',
      '/user_uploads/%2e%2e/json',
      'data:image/png;base64,AA',
    ]) {
      expect(image(src), src).toMatchObject({ kind: 'preview', src: undefined });
    }
  });

  it('shows what it does not know as text', () => {
    for (const html of [
      '<marquee>canary</marquee>',
      '<p><b>canary</b></p>',
      '<p class="x">canary</p>',
      '<div class="other">canary</div>',
      '<div>canary</div>',
      '<p><a href="javascript:x">canary</a></p>',
      '<p><a href="ftp://x.example">canary</a></p>',
      '<p><a class="button" href="https://x.example">canary</a></p>',
      '<p><span class="user-mention" data-user-id="x">canary</span></p>',
      '<p><span class="emoji emoji-fffffff">canary</span></p>',
      '<ul><p>canary</p></ul>',
      '<table><tr><td>canary</td></tr></table>',
      '<script>canary</script>',
      '<style>canary</style>',
      '<form>canary</form>',
      '<svg>canary</svg>',
      '<pre>canary</pre>',
    ]) {
      const found = allOf(read(html)).filter(({ kind }) => kind === 'unknown');
      expect(found, html).toEqual([{ kind: 'unknown', text: 'canary' }]);
    }
  });

  it('draws emoji larger where there is nothing else', () => {
    expect(isOnlyEmoji(written(':smile: :tada:'))).toBe(true);
    expect(isOnlyEmoji(written(':smile: yes'))).toBe(false);
    expect(isOnlyEmoji(written(':smile:'.repeat(7)))).toBe(false);
    expect(isOnlyEmoji(written('hello'))).toBe(false);
  });

  it('reads the marks of searches and of edits', () => {
    for (const [name, mark] of [
      ['highlight', 'found'],
      ['highlight_text_inserted', 'inserted'],
      ['highlight_text_deleted', 'deleted'],
    ]) {
      expect(inline(`<span class="${name}">x</span>`)).toMatchObject({ kind: 'mark', mark });
    }
  });
});

describe('the direction of each block', () => {
  /** The side of each block, as the browser will find it from what we write. */
  const sidesOf = (blocks: readonly Block[]): (string | null)[] =>
    blocks.flatMap((block): (string | null)[] => {
      if (block.kind === 'paragraph') {
        const lines = splitLines(block.children) ?? [block];
        return lines.map((line) => sideOf(line.children) ?? null);
      }
      if (block.kind === 'heading') return [sideOf(block.children) ?? null];
      if (block.kind === 'list') return block.items.flatMap(sidesOf);
      if (block.kind === 'quote') return sidesOf(block.children);
      if (block.kind === 'spoiler') return [...sidesOf(block.header), ...sidesOf(block.children)];
      if (block.kind === 'table') {
        return [...block.head, ...block.body].flat().map((cell) => sideOf(cell.children) ?? null);
      }
      return [];
    });
  it('has a corpus of forty messages', () => {
    expect(DIRECTED).toHaveLength(40);
  });

  it.each(DIRECTED)('$text', ({ text, sides }) => {
    expect(sidesOf(written(text))).toEqual(sides);
  });
});
