import { describe, expect, it } from 'vitest';
import { fileNameOf, hiddenHost, linkedAddress, loadedAddress } from './addresses.ts';
import { neutralize } from './neutral.ts';
import { playgroundUrl } from './playground.ts';

describe('an address', () => {
  it.each([
    ['https://example.com/a', 'https://example.com/a'],
    ['http://example.com', 'http://example.com/'],
    ['mailto:a@b.c', 'mailto:a@b.c'],
    ['tel:+98', 'tel:+98'],
    ['/#narrow/channel/9', '/#narrow/channel/9'],
    ['#narrow/channel/9', '/#narrow/channel/9'],
    ['user_uploads/2/a.png', '/user_uploads/2/a.png'],
    ['//evil.example/x', 'https://evil.example/x'],
  ])('%s may be linked', (href, expected) => {
    expect(linkedAddress(href)).toBe(expected);
  });

  it.each([
    '',
    'javascript:canary()',
    'JaVaScRiPt:canary()',
    'java\tscript:canary()',
    ' javascript:canary()',
    '\u0001javascript:canary()',
    'vbscript:x',
    'data:text/html,x',
    'blob:https://own.invalid/x',
    'file:///etc/passwd',
    'ftp://x.example',
    'http://[',
    'https://own.invalid/x',
  ])('%j may not be linked', (href) => {
    expect(linkedAddress(href)).toBeUndefined();
  });

  it('is loaded from the folders of files alone', () => {
    expect(loadedAddress('/external_content/ab/cd')).toBe('/external_content/ab/cd');
    expect(loadedAddress('user_uploads/2/x.png')).toBe('/user_uploads/2/x.png');
    for (const src of [
      '/api/v1/users',
      '/json/x',
      '/user_uploads/../json',
      '/user_uploads//evil.example',
      '/user_uploads/%2E%2e/json',
      '\\\\evil.example/x',
      '/\\evil.example',
      'https://evil.example/user_uploads/x',
    ]) {
      expect(loadedAddress(src), src).toBeUndefined();
    }
  });

  it('of a file has its name', () => {
    expect(fileNameOf('/user_uploads/2/ab/notes%20of%20today.txt')).toBe('notes of today.txt');
    expect(fileNameOf('/user_uploads/2/ab/%ff.txt')).toBe('%ff.txt');
    expect(fileNameOf('/#narrow/x')).toBeUndefined();
  });

  it('that its text denies is named', () => {
    expect(hiddenHost('https://bank.example', 'https://evil.example/x')).toBe('evil.example');
    expect(hiddenHost('bank.example', 'https://evil.example/x')).toBe('evil.example');
    expect(hiddenHost('https://bank.example/a', 'https://www.bank.example/b')).toBeUndefined();
    expect(hiddenHost('our page', 'https://evil.example/x')).toBeUndefined();
    expect(hiddenHost('bank.example', 'mailto:x@evil.example')).toBeUndefined();
  });

  it('of a playground has the code in it', () => {
    expect(playgroundUrl('https://play.example/?code={code}', 'a b&c')).toBe(
      'https://play.example/?code=a%20b%26c',
    );
    expect(playgroundUrl('https://play.example/{?code}', 'x')).toBe('https://play.example/?code=x');
    expect(playgroundUrl('https://play.example/#{code}', '"')).toBe('https://play.example/#%22');
    expect(playgroundUrl('javascript:{code}', 'x')).toBeUndefined();
    expect(playgroundUrl('{+code}', 'javascript:x')).toBeUndefined();
    expect(playgroundUrl('https://play.example/{code}', 'x'.repeat(20_000))).toBeUndefined();
  });
});

describe('HTML before it is parsed', () => {
  it('has no attribute that means anything, and the same texts', () => {
    expect(neutralize('<td style="text-align: left;">a style="b"</td>')).toBe(
      '<td x-style="text-align: left;">a style="b"</td>',
    );
    expect(neutralize(`<i title="x style='y' z" ONCLICK='c'></i>`)).toBe(
      `<i x-title="x style='y' z" x-ONCLICK='c'></i>`,
    );
    expect(neutralize('<audio controls src=y><img  alt = "<b c=d>"/>')).toBe(
      '<audio x-controls x-src=y><img  x-alt = "<b c=d>"/>',
    );
    expect(neutralize('<svg/onload=x()/a><a href=/b/c d/>')).toBe(
      '<svg/x-onload=x()/a><a x-href=/b/c x-d/>',
    );
    expect(neutralize('<p>a < b c="d" > e</p>')).toBe('<p>a < b c="d" > e</p>');
  });
});
