// Renders texts. corpus/cases.json has one line for each text and its HTML.
import { describe, expect, it, vi } from 'vitest';
import { EMPTY_ENV, type RenderEnv } from './env.ts';
import { MAX_FORMULAS, MAX_PREVIEWS, MAX_UNITS } from './limits.ts';
import { isMeMessage, render } from './render.ts';
import { readCases } from './test-corpus.ts';
import { EXAMPLE_ENV } from './test-env.ts';

const html = (content: string, env = EXAMPLE_ENV): string => render(content, env).html;

const cases = readCases();

it('the corpus has enough cases, and no duplicates', () => {
  expect(cases.length).toBeGreaterThanOrEqual(150);
  expect(new Set(cases.map(({ input }) => input)).size).toBe(cases.length);
});

describe.each([...new Set(cases.map(({ group }) => group))])('%s', (group) => {
  it.each(
    cases.filter((example) => example.group === group).map(({ input, html }) => [input, html]),
  )('%j', (input, expected) => {
    const rendered = render(input, EXAMPLE_ENV);
    expect(rendered.html).toBe(expected);
    expect(rendered.isPlain).toBe(false);
  });
});

describe('mentions', () => {
  const mentionsOf = (content: string) => render(content, EXAMPLE_ENV).mentions;

  it('notify people and groups once each', () => {
    expect(mentionsOf('@**Ada Lovelace** @**|12** @*devs* @**Twin Name|15**')).toEqual({
      userIds: [12, 15],
      groupIds: [7],
      hasChannelWildcard: false,
      hasTopicWildcard: false,
    });
  });

  it('distinguish both wildcards', () => {
    expect(mentionsOf('@**everyone**')).toMatchObject({ hasChannelWildcard: true });
    expect(mentionsOf('@**topic**')).toMatchObject({
      hasChannelWildcard: false,
      hasTopicWildcard: true,
    });
  });

  it.each([
    ['silent', '@_**Ada Lovelace** @_*devs* @_**all** @_**topic**'],
    ['quoted', '> @**Ada Lovelace** @*devs* @**all** @**topic**'],
    ['in a fenced quote', '```quote\n- @**Ada Lovelace** @*devs*\n```'],
    ['in code', '`@**Ada Lovelace**`\n```\n@**all**\n```'],
    ['of deactivated people and groups', '@**Charles Babbage** @*gone*'],
    ['of nobody', '@**Nobody** @*nothing* @**Twin Name** @**Ada|12**'],
  ])('%s notify nobody', (_what, content) => {
    expect(mentionsOf(content)).toEqual({
      userIds: [],
      groupIds: [],
      hasChannelWildcard: false,
      hasTopicWildcard: false,
    });
  });

  it('notify again after a quote', () => {
    expect(mentionsOf('> quoted\n\n@**Ada Lovelace**').userIds).toEqual([12]);
  });
});

describe('rendering also finds', () => {
  it('links, files and images, for search', () => {
    const rendered = render(
      'https://a.example [f](/user_uploads/2/ab/cdef/cat.png) #**general** https://a.example',
      EXAMPLE_ENV,
    );
    expect(rendered.links).toEqual([
      'https://a.example',
      '/user_uploads/2/ab/cdef/cat.png',
      '/#narrow/channel/9-general',
    ]);
    expect(rendered.uploadPaths).toEqual(['2/ab/cdef/cat.png']);
    expect(rendered).toMatchObject({ hasLink: true, hasImage: true, hasAttachment: true });
    expect(render('nothing', EXAMPLE_ENV)).toMatchObject({
      hasLink: false,
      hasImage: false,
      hasAttachment: false,
    });
  });

  it('URLs whose pages are worth fetching', () => {
    const { previewUrls } = render('https://a.example/page [x](/user_uploads/2/a)', EXAMPLE_ENV);
    expect(previewUrls).toEqual(['https://a.example/page']);
    const without = { ...EXAMPLE_ENV, hasLinkPreviews: false };
    expect(render('https://a.example/page', without).previewUrls).toEqual([]);
  });

  it('the text that a reader sees', () => {
    expect(
      render('**a** @**Ada Lovelace**\n- `b`\n- [c](https://x.example)', EXAMPLE_ENV).text,
    ).toBe('a @Ada Lovelace\nb\n\nc');
  });

  it('whether it is a /me message', () => {
    expect(isMeMessage('/me waves')).toBe(true);
    expect(isMeMessage('/meow')).toBe(false);
    expect(isMeMessage(' /me waves')).toBe(false);
  });
});

describe('formulas', () => {
  it('write nothing into the log', () => {
    const warned = vi.spyOn(console, 'warn');
    expect(html('$$\\text{\u{bba64}}$$')).toContain('class="katex"');
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  it("have the class names that the mobile client's parser knows", () => {
    const formulas = ['x^2', '\\frac{1}{2}', '\\sqrt{x}', '\\sum_{i=1}^n i', '\\overline{ab}'];
    const rendered = html(formulas.map((tex) => `$$${tex}$$`).join(' '));
    const classes = new Set(
      [...rendered.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')),
    );
    expect([...classes]).toEqual(expect.arrayContaining(['base', 'strut', 'sizing', 'pstrut']));
    // Later releases of KaTeX put this class before others.
    expect([...classes].filter((name) => name.startsWith('katex')).sort()).toEqual([
      'katex',
      'katex-html',
      'katex-mathml',
    ]);
  });
});

describe('settings', () => {
  it('a default language colours code that names no language, and `text` switches it off', () => {
    const env = { ...EMPTY_ENV, defaultCodeLanguage: 'python' };
    expect(html('```\nx\n```', env)).toContain('data-code-language="Python"');
    expect(html('```js\nx\n```', env)).toContain('data-code-language="JavaScript"');
    expect(html('```text\nif x\n```', env)).not.toContain('Python');
    expect(html('```text\nif x\n```', env)).toContain('<code>if x\n</code>');
  });

  it('emoticons become emoji only for authors who chose that', () => {
    expect(html(':) <3', EMPTY_ENV)).toBe('<p>:) &lt;3</p>');
    const env = { ...EMPTY_ENV, translatesEmoticons: true };
    expect(html('a :). <3 b:) `:)`', env)).toBe(
      '<p>a <span aria-label="slight smile" class="emoji emoji-1f642" role="img" title="slight smile">:slight_smile:</span>. ' +
        '<span aria-label="heart" class="emoji emoji-2764" role="img" title="heart">:heart:</span> b:) <code>:)</code></p>',
    );
  });

  it('images, audio and video of other servers come through this server, from their source, or not at all', () => {
    const content =
      'https://a.example/x.png https://a.example/v.mp4 https://youtu.be/dQw4w9WgXcQ https://news.example/story ' +
      '![s](https://a.example/s.mp3)';
    const sources = (external: RenderEnv['external']) =>
      [
        ...html(content, { ...EXAMPLE_ENV, external }).matchAll(
          / src="([^"]*)"|url\(&quot;(.*?)&quot;/g,
        ),
      ].map(([, source, style]) => source ?? style ?? '');
    const direct = sources('direct');
    expect(direct.map((source) => source.replace(/^(https:\/\/[^/]+\/).*/, '$1'))).toEqual([
      'https://a.example/',
      'https://a.example/',
      'https://a.example/',
      'https://i.ytimg.com/',
      'https://news.example/',
    ]);
    expect(sources('hidden')).toEqual([]);
    const proxied = sources({ key: 'a' });
    expect(proxied).toHaveLength(5);
    for (const source of proxied)
      expect(source).toMatch(/^\/external_content\/[0-9a-f]{64}\/[0-9a-f]+$/);
    expect(sources({ key: 'b' })).not.toEqual(proxied);
  });

  it('previews can be switched off', () => {
    const env = { ...EXAMPLE_ENV, hasImagePreviews: false, hasLinkPreviews: false };
    expect(html('https://a.example/x.png https://news.example/story', env)).not.toContain('<div');
  });
});

describe('bounds', () => {
  it('a message with one preview too many has none', () => {
    const pictures = (count: number) =>
      Array.from({ length: count }, (_none, index) => `https://a.example/${index}.png`).join(' ');
    const previews = (content: string) => html(content).split('message_inline_image').length - 1;
    expect(previews(pictures(MAX_PREVIEWS))).toBe(MAX_PREVIEWS);
    expect(previews(pictures(MAX_PREVIEWS + 1))).toBe(0);
    expect(render(pictures(MAX_PREVIEWS + 1), EXAMPLE_ENV).links).toHaveLength(MAX_PREVIEWS + 1);
  });

  it('formulas beyond the budget show their source', () => {
    const rendered = html('$$x$$ '.repeat(MAX_FORMULAS + 3));
    expect(rendered.split('class="katex"').length - 1).toBe(MAX_FORMULAS);
    expect(rendered.split('class="tex-error"').length - 1).toBe(3);
  });

  it('a formula that is nested too deeply shows its source', () => {
    const fractions = (count: number) => `$$${'\\frac{1}{'.repeat(count)}x${'}'.repeat(count)}$$`;
    expect(html(fractions(5))).toContain('class="katex"');
    expect(html(fractions(50))).toMatch(/^<p><span class="tex-error">/);
  });

  it('deeply nested code is coloured to a limited depth', () => {
    const rendered = html(`\`\`\`javascript\n${'`${'.repeat(500)}\n\`\`\``);
    expect(rendered.match(/<span class/g)?.length).toBeLessThanOrEqual(20);
  });

  it('code beyond the budget has no colours, but is complete', () => {
    const code = 'return 1\n'.repeat(1000);
    const rendered = html(`\`\`\`python\n${code}\`\`\``);
    expect(rendered).not.toContain('class="k"');
    expect(rendered).toContain(code);
  });

  it('quotes and lists nest to a limited depth, then become text', () => {
    for (const marker of ['> ', '- ']) {
      const rendered = render(`${marker.repeat(60)}deep`, EMPTY_ENV);
      expect(rendered.isPlain).toBe(false);
      expect(rendered.html).toContain('deep');
      expect(rendered.html.match(/<(?:blockquote|ul)>/g)?.length).toBeLessThanOrEqual(20);
      expect(rendered.text.split(marker.trim()).length - 1).toBeGreaterThanOrEqual(40);
    }
  });

  it('a text that is too long is shown as it was written, cut off', () => {
    const rendered = render(`**a** <b> ${'x'.repeat(MAX_UNITS)}`, EMPTY_ENV);
    expect(rendered).toMatchObject({ isPlain: true, mentions: { userIds: [] } });
    expect(rendered.html).toMatch(/^<p>\*\*a\*\* &lt;b&gt; x/);
    expect(rendered.html).toMatch(/\[message truncated\]<\/p>$/);
  });

  it('a custom emoji with a dangerous URL is shown as text', () => {
    const rendered = render('**a** :evil_emoji:', EXAMPLE_ENV);
    expect(rendered).toMatchObject({ isPlain: true, html: '<p>**a** :evil_emoji:</p>' });
  });
});
