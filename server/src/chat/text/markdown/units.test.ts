// Small parts of rendering: times, URLs, templates, linkifiers, narrow paths, topic links.
import { describe, expect, it } from 'vitest';
import { findLinkifierProblem } from './linkifiers.ts';
import { channelPath, directPath, messagePath, topicPath } from './narrow-paths.ts';
import { findReferences } from './references.ts';
import { findTopicLinks } from './topic-links.ts';
import { parseTime } from './times.ts';
import { parseUrlTemplate } from './url-template.ts';
import { relativeUrl, safeUrl, uploadPathOf } from './urls.ts';
import { EXAMPLE_ENV } from './test-env.ts';

describe('URLs', () => {
  it.each([
    ['https://example.com', 'https://example.com'],
    ['HTTPS://EXAMPLE.com/A', 'HTTPS://EXAMPLE.com/A'],
    ['example.com/x', 'https://example.com/x'],
    ['example.com:8080/x', 'https://example.com:8080/x'],
    ['//example.com/x', 'https://example.com/x'],
    ['a@b.example', 'mailto:a@b.example'],
    ['/user_uploads/1/x', '/user_uploads/1/x'],
    ['#narrow/x', '#narrow/x'],
    ['https://example.com/a b"c', 'https://example.com/a%20b%22c'],
    ['https://example.com/\u202ex', 'https://example.com/%E2%80%AEx'],
  ])('%j is written as %j', (address, url) => expect(safeUrl(address)).toBe(url));

  it.each([
    '',
    ' ',
    'javascript:x',
    'JaVaScRiPt:x',
    ' javascript:x',
    'java\nscript:x',
    '\u0001javascript:x',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:x',
    'ftp://x.example',
    'about:blank',
    'word',
    '../x',
    '?x',
    'http://',
    'https://[',
    'x'.repeat(3000),
  ])('%j is not linked', (address) => expect(safeUrl(address)).toBeUndefined());

  it('a backslash does not make a path a host', () => {
    expect(safeUrl('/\\evil.example')).toBe('/%5Cevil.example');
    expect(new URL('/%5Cevil.example', 'https://chat.example').host).toBe('chat.example');
  });

  it('only those of our own conversations and files become relative', () => {
    const origin = 'https://chat.example';
    expect(relativeUrl(`${origin}/#narrow/x`, origin)).toBe('#narrow/x');
    expect(relativeUrl(`${origin}/user_uploads/x`, origin)).toBe('user_uploads/x');
    expect(relativeUrl(`${origin}/x`, origin)).toBe(`${origin}/x`);
    expect(relativeUrl(`${origin}.evil.example/#narrow/x`, origin)).toBe(
      `${origin}.evil.example/#narrow/x`,
    );
    expect(relativeUrl('https://x.example/#narrow/x', '')).toBe('https://x.example/#narrow/x');
  });

  it('of files are recognised by their path', () => {
    expect(uploadPathOf('/user_uploads/2/a%20b.png?x#y')).toBe('2/a b.png');
    expect(uploadPathOf('user_uploads/2/x')).toBe('2/x');
    expect(uploadPathOf('/user_uploads/../x')).toBeUndefined();
    expect(uploadPathOf('/user_uploads/%zz')).toBeUndefined();
    expect(uploadPathOf('https://x.example/user_uploads/2/x')).toBeUndefined();
  });

  it('of conversations have dots for percent signs', () => {
    const channel = channelPath(9, 'a b (c) 100%');
    expect(channel).toBe('/#narrow/channel/9-a-b-.28c.29-100.25');
    expect(topicPath(channel, 'x.y/z', 5)).toBe(`${channel}/topic/x.2Ey.2Fz/with/5`);
    expect(topicPath(channel, '')).toBe(`${channel}/topic/`);
    expect(messagePath(channel, 'é', 7)).toBe(`${channel}/topic/.C3.A9/near/7`);
    expect(directPath([2, 1, 3])).toBe('/#narrow/dm/1,2,3-group');
    expect(directPath([2, 1])).toBe('/#narrow/dm/1,2-dm');
    expect(() => channelPath(1, '\ud800')).not.toThrow();
  });
});

describe('times', () => {
  it.each([
    ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05Z'],
    ['2026-01-02T03:04:05-0030', '2026-01-02T03:34:05Z'],
    ['2026-01-02T03:04+05', '2026-01-01T22:04:00Z'],
    ['2024-02-29', '2024-02-29T00:00:00Z'],
    ['0', '1970-01-01T00:00:00Z'],
    ['-1', '1969-12-31T23:59:59Z'],
  ])('%s is %s', (text, time) => expect(parseTime(text)).toBe(time));

  it.each([
    '',
    'x',
    '2023-02-29',
    '2026-13-01',
    '2026-01-02T24:00',
    '2026-01-02T03:60',
    '1e9',
    '999999999999',
  ])('%j is not a time', (text) => expect(parseTime(text)).toBeUndefined());
});

describe('URL templates', () => {
  const values = { x: 'a/b c', y: 'ü', empty: '', none: undefined };
  it.each([
    ['https://t.example/{x}', 'https://t.example/a%2Fb%20c'],
    ['https://t.example/{+x}', 'https://t.example/a/b%20c'],
    ['t{#x}', 't#a/b%20c'],
    ['t{.x,y}', 't.a%2Fb%20c.%C3%BC'],
    ['t{/x,y}', 't/a%2Fb%20c/%C3%BC'],
    ['t{;x,empty}', 't;x=a%2Fb%20c;empty'],
    ['t{?x,empty,none}', 't?x=a%2Fb%20c&empty='],
    ['t?q{&y}', 't?q&y=%C3%BC'],
    ['t{none}{?none}', 't'],
    ['t{x:3}', 'ta%2Fb'],
    ['t/ü', 't/%C3%BC'],
    ['t/%20', 't/%20'],
  ])('%s expands to %s', (template, url) =>
    expect(parseUrlTemplate(template)?.expand(values)).toBe(url),
  );

  it.each(['{', '}', '{}', '{x', 'x}', '{x y}', '{!x}', '{x:0}', '{x,}', '{{x}}'])(
    '%s is not a template',
    (template) => expect(parseUrlTemplate(template)).toBeUndefined(),
  );
});

describe('linkifiers', () => {
  it.each([
    ['#(?P<id>\\d+)', 'https://x.example/{id}', undefined],
    ['x', 'https://x.example/', undefined],
    ['(', 'https://x.example/', /^Bad regular expression: /],
    ['(a+)+(?=b)', 'https://x.example/', /^Bad regular expression: /],
    ['a)(b', 'https://x.example/', /^Bad regular expression: /],
    ['#(?P<id>\\d+)', 'https://x.example/{id', /^Invalid URL template\.$/],
    ['x', '{id}', /^Group 'id' in URL template is not present in linkifier pattern\.$/],
    ['(?P<id>x)', 'y', /^Group 'id' in linkifier pattern is not present in URL template\.$/],
  ])('%s with %s: %s', (pattern, template, problem) => {
    const found = findLinkifierProblem(pattern, template);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(problem);
  });

  it('topic links come in order, and linkifiers win over URLs', () => {
    expect(
      findTopicLinks(
        'see #123 at https://x.example/#456, and x.example PROJ-1',
        EXAMPLE_ENV.linkifiers,
      ),
    ).toEqual([
      { text: '#123', url: 'https://issues.example/123' },
      { text: 'https://x.example/#456', url: 'https://x.example/#456' },
      { text: 'x.example', url: 'https://x.example' },
      { text: 'PROJ-1', url: 'https://wiki.example/1' },
    ]);
    expect(findTopicLinks('no links', EXAMPLE_ENV.linkifiers)).toEqual([]);
  });
});

describe('references', () => {
  it('every name is found once', () => {
    expect(
      findReferences(
        '@**Ada|12** @**ada|12** @_**Bob** @**all** @*devs* #**c>t@5** #**C** :smile: :x: ' +
          '[f](/user_uploads/2/a%20b.png) `@**In Code**`',
      ),
    ).toEqual({
      userNames: ['ada|12', 'Bob', 'In Code'],
      userIds: [12],
      groupNames: ['devs'],
      channelNames: ['C'],
      topics: [
        { channelName: 'c', topic: 't@5' },
        { channelName: 'c', topic: 't' },
      ],
      emojiNames: ['smile', 'x'],
      uploadPaths: ['2/a b.png'],
    });
  });
});
