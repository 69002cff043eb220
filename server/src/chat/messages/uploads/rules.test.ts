// The pure rules about files: names, ranges, types.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecrets } from '../../../platform/secrets/secrets.ts';
import { isShownInline, sniff } from './content-type.ts';
import { cleanName, contentDisposition, pathName } from './name.ts';
import { findPictureSize } from './picture.ts';
import { parseRange } from './range.ts';
import { makeToken, parseToken } from './token.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom('ن', 'a', '.', '/', '\\', ' ', '-', '\u202e', '\u200c', '\0'),
  }),
);

describe('a name', () => {
  it('is never a path, never empty, and never changes the direction of the following text', () => {
    fc.assert(
      fc.property(anyText, (given) => {
        const name = cleanName(given);
        expect(name).not.toMatch(/[/\\\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
        expect(['', '.', '..']).not.toContain(name);
        expect(Array.from(name).length).toBeLessThanOrEqual(200);
        expect(cleanName(name)).toBe(name);
      }),
    );
  });

  it('in an address has only letters, digits, dots, dashes and underscores', () => {
    fc.assert(
      fc.property(anyText, (given) => {
        const name = pathName(cleanName(given));
        expect(name).toMatch(/^[\p{L}\p{M}\p{N}_.-]+$/u);
        expect(['.', '..']).not.toContain(name);
        expect(Array.from(name).length).toBeLessThanOrEqual(80);
      }),
    );
  });

  it.each([
    ['گزارش ماهانه.pdf', 'گزارش-ماهانه.pdf'],
    ['a   b--c.txt', 'a-b-c.txt'],
    ['ﬁle①.txt', 'file1.txt'],
    ['<>:"|?*', 'uploaded-file'],
    [`${'x'.repeat(300)}.tar`, `${'x'.repeat(76)}.tar`],
  ])('%s becomes %s', (given, expected) => {
    expect(pathName(cleanName(given))).toBe(expected);
  });

  it('in a header is one value that can be parsed back', () => {
    fc.assert(
      fc.property(anyText, (given) => {
        const name = cleanName(given);
        const header = contentDisposition('attachment', name);
        expect(header).toMatch(
          /^attachment; filename="[^"\\\r\n]*"; filename\*=UTF-8''[\w%.!~-]+$/,
        );
        expect(decodeURIComponent(header.split("UTF-8''")[1] ?? '')).toBe(name);
      }),
    );
  });
});

describe('a range', () => {
  it('lies within the file, for any header', () => {
    const asked = fc.oneof(
      fc.string(),
      fc
        .tuple(fc.option(fc.nat(30)), fc.option(fc.nat(30)))
        .map(([from, to]) => `bytes=${from ?? ''}-${to ?? ''}`),
    );
    fc.assert(
      fc.property(asked, fc.nat(20), (header, size) => {
        const range = parseRange(header, size);
        if (range === undefined || range === 'unsatisfiable') return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThanOrEqual(range.start);
        expect(range.end).toBeLessThan(size);
      }),
    );
  });
});

describe('a type', () => {
  it('is never markup that a browser would run, for any bytes and names', async () => {
    const starts = [
      '<svg xmlns="http://www.w3.org/2000/svg">',
      '<!doctype html>',
      '<?xml ?>',
      '<html>',
      '',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...starts),
        fc.string(),
        fc.constantFrom('x.svg', 'x.html', 'x.xhtml', 'x.xml', 'x.txt', 'x', 'x.js'),
        async (start, rest, name) => {
          const type = await sniff(Buffer.from(start + rest), name);
          expect(type).not.toMatch(/html|xml|svg|javascript/);
          if (name !== 'x.txt' && start !== '') expect(isShownInline(type)).toBe(false);
        },
      ),
    );
  });

  it('of a picture is detected from its bytes, with its size', async () => {
    const gif = Buffer.alloc(60);
    gif.write('GIF89a', 0, 'latin1');
    gif.writeUInt16LE(30, 6);
    gif.writeUInt16LE(20, 8);
    expect(await sniff(gif, 'x.html')).toBe('image/gif');
    expect(findPictureSize(gif, 'image/gif')).toEqual({ width: 30, height: 20 });
    const avif = Buffer.concat([
      Buffer.from('0000001c66747970617669660000000061766966', 'hex'),
      Buffer.from('ispe\0\0\0\0'),
      Buffer.from('0000001000000008', 'hex'),
    ]);
    expect(await sniff(avif, 'x')).toBe('image/avif');
    expect(findPictureSize(avif, 'image/avif')).toEqual({ width: 16, height: 8 });
    gif.writeUInt16LE(65_000, 6);
    gif.writeUInt16LE(65_000, 8);
    expect(findPictureSize(gif, 'image/gif')).toBeUndefined();
  });
});

describe('a token', () => {
  const secrets = createSecrets('ab'.repeat(32));
  it('returns its content for a minute, and only unchanged', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.nat(1000), (id, at) => {
        const content = { attachmentId: id, userId: 5 };
        const token = makeToken(secrets, content, 1e12);
        expect(parseToken(secrets, token, 1e12 + 59_000)).toEqual(content);
        expect(parseToken(secrets, token, 1e12 + 61_001)).toBeUndefined();
        const index = at % token.length;
        const changed = `${token.slice(0, index)}${token[index] === 'a' ? 'b' : 'a'}${token.slice(index + 1)}`;
        // The last character of the signature has unused bits.
        if (index < token.length - 1) expect(parseToken(secrets, changed, 1e12)).toBeUndefined();
      }),
    );
    expect(
      parseToken(
        createSecrets('cd'.repeat(32)),
        makeToken(secrets, { attachmentId: 1, userId: 2 }, 0),
        0,
      ),
    ).toBeUndefined();
  });
});
