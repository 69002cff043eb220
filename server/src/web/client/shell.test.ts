import { expect, it } from 'vitest';
import { HOSTILE_TEXTS } from '../../testing/hostile-texts.ts';
import { renderShell, type Boot } from './shell.ts';

const FILES = {
  script: '/web/assets/client-1.js',
  imports: ['/web/assets/a-1.js'],
  styles: ['/web/assets/m.css'],
};
const BOOT: Boot = {
  csrfToken: 'token',
  user: { id: 7, email: 'ada@rialto.example', fullName: 'Ada', role: 400, grants: [] },
  language: 'en',
  theme: 'system',
  organization: { name: 'Rialto' },
  version: '0.2.0',
  flags: { isMoneySimulated: true },
};
const render = (boot: Partial<Boot> = {}) =>
  renderShell({
    boot: { ...BOOT, ...boot },
    files: FILES,
    viewScripts: ['/web/assets/inbox-1.js'],
    nonce: 'bm9uY2U=',
    persianFont: '/web/assets/vazirmatn-arabic-x.woff2',
  });

const bootIn = (html: string): unknown =>
  JSON.parse(/<script type="application\/json" id="boot">([^<]*)<\/script>/.exec(html)?.[1] ?? '');

it('has the files of the build, a place for the client, and what it begins with', () => {
  const html = render();
  for (const part of [
    '<html lang="en" dir="ltr">',
    '<title>Rialto</title>',
    '<meta property="csp-nonce" nonce="bm9uY2U=">',
    '<link rel="manifest" href="/manifest.webmanifest?lang=en">',
    '<link rel="apple-touch-icon" href="/web/assets/icon-192-1.png">',
    '<link rel="stylesheet" href="/web/assets/m.css">',
    '<script type="module" src="/web/assets/client-1.js"></script>',
    '<link rel="modulepreload" href="/web/assets/a-1.js">',
    '<link rel="modulepreload" href="/web/assets/inbox-1.js">',
    '<div id="root"></div>',
    '<a href="/account/?lang=en">Open my account</a>',
  ]) {
    expect(html).toContain(part);
  }
  expect(bootIn(html)).toEqual(BOOT);
  expect(html).not.toContain('woff2');
  // Nothing that the policy would refuse.
  expect(html).not.toMatch(/\sstyle="|\son\w+="|<style/);
});

it('is Persian from right to left, with its font, and dark or light if the person chose', () => {
  const html = render({ language: 'fa', theme: 'dark' });
  expect(html).toContain('<html lang="fa" dir="rtl" data-theme="dark">');
  expect(html).toContain('as="font" type="font/woff2" crossorigin');
  expect(html).toContain('جاوااسکریپت');
  expect(html.match(/theme-color/g)).toHaveLength(1);
});

it.each(HOSTILE_TEXTS)('says a hostile text as text, $place: $text', ({ text }) => {
  const user = { id: 7, email: text, fullName: text, role: 400, grants: [] };
  const html = render({ user, organization: { name: text } });
  expect(bootIn(html)).toMatchObject({ user, organization: { name: text } });
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html).not.toContain('<!--');
});
