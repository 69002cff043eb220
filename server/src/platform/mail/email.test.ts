import fc from 'fast-check';
import { expect, it } from 'vitest';
import { languageOf, layOut, type EmailText } from './email.ts';

const text: EmailText = {
  language: 'en',
  organization: 'Desk & Co',
  origin: 'https://rialto.example',
  subject: 'Join us',
  heading: 'You are invited',
  paragraphs: ['Mia <mia@example.com> asks you in.'],
  action: { label: 'Join', url: 'https://rialto.example/join/abc/?a=1&b=2' },
  note: 'If you did not expect this, do nothing.',
};

it('says the same in text and in HTML, with the address of the link in both', () => {
  const email = layOut('ben@example.com', text, null);
  expect(email).toMatchObject({ to: 'ben@example.com', subject: 'Join us', notAfterMs: null });
  for (const part of ['You are invited', 'If you did not expect this']) {
    expect(email.text).toContain(part);
    expect(email.html).toContain(part);
  }
  expect(email.text).toContain('https://rialto.example/join/abc/?a=1&b=2');
  expect(email.html).toContain('href="https://rialto.example/join/abc/?a=1&amp;b=2"');
  expect(email.html).toContain('Mia &lt;mia@example.com&gt;');
  expect(email.html).toContain('<html lang="en" dir="ltr">');
});

it('runs from right to left in Persian, with addresses from left to right', () => {
  const { html } = layOut('ben@example.com', { ...text, language: 'fa' }, null);
  expect(html).toContain('<html lang="fa" dir="rtl">');
  expect(html).toMatch(/<a href="https:\/\/rialto\.example\/join[^>]+dir="ltr"/);
  expect([languageOf('fa'), languageOf('en'), languageOf('de'), languageOf(undefined)]).toEqual([
    'fa',
    'en',
    'en',
    'en',
  ]);
});

it('whatever names contain, the subject is one line and no HTML element is injected', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const { subject, html } = layOut(
        'a@example.com',
        { ...text, subject: `${name}\r\nBcc: x@example.com`, heading: name, paragraphs: [name] },
        null,
      );
      expect(subject).not.toMatch(/[\r\n\u{2028}\u{2029}]/u);
      expect(Array.from(subject).length).toBeLessThanOrEqual(150);
      const plain = layOut('a@example.com', { ...text, heading: '', paragraphs: [''] }, null).html;
      const tags = (page: string) => (page.match(/</g) ?? []).length;
      expect(tags(html)).toBe(tags(plain));
    }),
  );
});
