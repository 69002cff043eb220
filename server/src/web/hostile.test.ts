// Pages and emails around strangers' texts: whatever a name or an address contains, the page has the same elements
// with the same attributes as with harmless ones, and no other links.
import { expect, it } from 'vitest';
import { ROLE } from '../accounts/roles.ts';
import { layOut } from '../platform/mail/email.ts';
import type { Language } from '../platform/std/language.ts';
import { HOSTILE_TEXTS } from '../testing/hostile-texts.ts';
import { renderAppForm } from './app-sign-in-page.ts';
import * as devices from './device-link-page.ts';
import { renderHome } from './home-page.ts';
import { renderGoOn } from './identities-page.ts';
import * as keys from './key-page.ts';
import { renderCoin } from './markets/coin-page.ts';
import { renderMarkets } from './markets/list-page.ts';
import { networkOf, overviewOf } from './markets/test-markets.ts';
import * as enrolment from './login-enrol-page.ts';
import { renderFactor } from './login-factor-page.ts';
import { renderLogin, renderSignedIn } from './login-page.ts';
import { renderFrontPage, renderNotFound } from './front/page.ts';
import type { PageValues } from './page.ts';
import * as addresses from './address-change-page.ts';
import * as phrases from './phrase-page.ts';
import * as recoveries from './recovery-page.ts';
import * as passwords from './password-reset-page.ts';
import { renderSessions } from './sessions-page.ts';
import { renderSecurity } from './security-page.ts';
import * as signup from './signup-page.ts';
import { renderStepUp } from './step-up-page.ts';

/** Elements and the names of their attributes, in order. */
function skeleton(html: string): string[] {
  return (html.match(/<[^>]*>/g) ?? []).map((tag) =>
    tag.replaceAll(/="[^"]*"/g, '').replaceAll(/\s+/g, ' '),
  );
}

type Render = (text: string, language: Language) => string;

const valuesOf = (organization: string): PageValues => ({
  organization,
  origin: 'https://chat.example',
  version: '1.0.0',
  stylePath: '/style.css',
});
const form = (language: Language, csrfToken: string) => ({ language, path: '/x/', csrfToken });

const pricesOf = (text: string) => [
  { symbol: text, base: text, quote: text, last: text, changePercent: text, isOpen: true },
];

const textsOf = (text: string) => ({
  symbol: text,
  base: text,
  quote: text,
  nameEn: text,
  nameFa: text,
  last: text,
  high: text,
  low: text,
  total: text,
});

const PAGES: Readonly<Record<string, Render>> = {
  'the front page': (text) =>
    renderFrontPage(
      valuesOf(text),
      { prices: pricesOf(text), isSimulated: true },
      { language: 'fa', script: '/web/follow.js' },
    ),
  'the list of markets': (text, language) =>
    renderMarkets(valuesOf(text), {
      language,
      markets: [overviewOf(textsOf(text))],
      choice: { search: text, quote: text, sort: 'volume' },
    }),
  'the page of a coin': (text, language) =>
    renderCoin(valuesOf(text), {
      language,
      markets: [overviewOf(textsOf(text))],
      coin: { symbol: text, nameEn: text, nameFa: text, networks: { [text]: networkOf(text) } },
    }),
  'the own page': (text, language) =>
    renderHome(valuesOf(text), {
      language,
      csrfToken: text,
      hasClient: false,
      prices: pricesOf(text),
      isSimulated: true,
      person: { fullName: text, email: text, role: ROLE.owner },
    }),
  'asking for a key': (text, language) =>
    keys.renderKeyForm(valuesOf(text), {
      ...form(language, text),
      next: undefined,
      email: text,
      asksPassword: true,
      problem: 'wrong',
    }),
  'proving it again': (text, language) =>
    renderStepUp(valuesOf(text), {
      ...form(language, text),
      next: `/${text}`,
      email: text,
      methods: ['totp'],
      passkey: '',
      problem: 'wrong',
    }),
  sessions: (text, language) =>
    renderSessions(valuesOf(text), {
      ...form(language, text),
      next: undefined,
      currentId: 1n,
      sessions: [
        {
          id: 2n,
          kind: 'browser',
          device: text,
          address: text,
          network: 'other',
          methods: ['password'],
          createdAt: new Date(0),
          lastSeenAt: new Date(0),
        },
      ],
      problem: 'gone',
    }),
  'a key': (text, language) =>
    keys.renderKey(valuesOf(text), {
      ...form(language, text),
      next: undefined,
      key: text,
      file: text,
      isNew: true,
    }),
  'no page': (text) => renderNotFound(valuesOf(text), text, 'en'),
  'signing in': (text, language) =>
    renderLogin(valuesOf(text), {
      ...form(language, text),
      next: `/${text}`,
      username: text,
      passkey: '',
      problem: 'too-many',
      takesNames: true,
      offersLink: true,
      takesPasswords: true,
      offersAccount: true,
      providers: [{ id: 'acme', name: text }],
      done: undefined,
    }),
  'the question of an app': (text, language) =>
    renderAppForm(valuesOf(text), {
      ...form(language, text),
      next: undefined,
      user: { fullName: text, email: text },
      isFresh: true,
      problem: 'form',
    }),
  'going on to a provider': (text, language) =>
    renderGoOn(valuesOf(text), {
      ...form(language, text),
      next: undefined,
      name: text,
      url: 'https://provider.example/',
    }),
  'signed in': (text, language) =>
    renderSignedIn(
      valuesOf(text),
      { ...form(language, text), next: `/${text}` },
      { fullName: text, email: text },
    ),
  'a second factor': (text, language) =>
    renderFactor(valuesOf(text), {
      ...form(language, text),
      next: `/${text}`,
      email: text,
      methods: ['totp', 'recovery'],
      passkey: '',
      problem: 'too-many',
      offersLink: true,
    }),
  'adding a second factor': (text, language) =>
    enrolment.renderEnrol(valuesOf(text), {
      ...form(language, text),
      next: `/${text}`,
      email: text,
      offer: { secret: text, uri: 'otpauth://totp/x' },
      problem: 'wrong',
    }),
  'a second factor was added': (text, language) =>
    enrolment.renderEnrolled(valuesOf(text), { ...form(language, text), next: `/${text}` }, [
      text,
      text,
    ]),
  'the page about security': (text, language) =>
    renderSecurity(valuesOf(text), {
      ...form(language, text),
      next: undefined,
      factors: { totp: true, passkeys: 0, recoveryCodes: 3 },
      due: { isRequired: true, dueAt: new Date(0), isOverdue: true },
      hasProviders: true,
      codes: [text],
      done: 'renewed',
    }),
  'a link for a browser': (text, language) =>
    devices.renderAsk(valuesOf(text), {
      ...form(language, text),
      next: `/${text}`,
      email: text,
      problem: 'expired',
    }),
  'a forgotten password': (text, language) =>
    passwords.renderAsk(valuesOf(text), {
      ...form(language, text),
      next: `/${text}`,
      email: text,
      problem: 'expired',
      hasDirectory: true,
    }),
  'a new password': (text, language) =>
    passwords.renderChoose(valuesOf(text), {
      ...form(language, text),
      next: `/${text}`,
      email: text,
      problem: 'weak',
      reason: 'short',
      asksFactor: true,
      revoke: 'all',
    }),
  'a recovery': (text, language) =>
    recoveries.renderRecovery(valuesOf(text), {
      ...form(language, text),
      next: `/${text}`,
      email: text,
      said: 'weak',
      reason: 'short',
    }),
  'a phrase': (text, language) =>
    phrases.renderPhrase(valuesOf(text), {
      ...form(language, text),
      next: `/${text}`,
      phrase: text,
      said: 'bad',
    }),
  'a change of address': (text, language) =>
    addresses.renderAddressChange(valuesOf(text), {
      ...form(language, text),
      next: `/${text}`,
      newEmail: text,
      side: 'old',
      mayConfirm: true,
      problem: 'expired',
    }),
  joining: (text, language) =>
    signup.renderJoin(valuesOf(text), {
      ...form(language, text),
      key: text,
      email: text,
      problem: undefined,
      isShut: false,
    }),
  'a confirmation': (text, language) =>
    signup.renderSent(valuesOf(text), { ...form(language, text), email: text }),
  'a new account': (text, language) =>
    signup.renderAccount(valuesOf(text), {
      ...form(language, text),
      key: text,
      email: text,
      fullName: text,
      role: ROLE.member,
      inviter: text,
      channels: [text, text],
      termsUrl: 'https://terms.example/',
      hasAgreed: false,
      problem: undefined,
    }),
  'an email': (text, language) =>
    layOut(
      'ava@example.com',
      {
        language,
        organization: text,
        origin: 'https://chat.example',
        subject: text,
        heading: text,
        paragraphs: [text, text],
        action: { label: text, url: `https://chat.example/accounts/do_confirm/${text}` },
        note: text,
      },
      null,
    ).html,
};

it.each(Object.entries(PAGES))(
  '%s consists of the same elements, whatever its texts contain',
  (_name, render) => {
    for (const language of ['en', 'fa'] as const) {
      const harmless = skeleton(render('harmless', language));
      expect(harmless.length).toBeGreaterThan(5);
      for (const { text } of HOSTILE_TEXTS) {
        const html = render(text, language);
        expect(skeleton(html), text).toEqual(harmless);
        for (const [, address = ''] of html.matchAll(/(?:href|src|action)="([^"]*)"/g)) {
          expect(address, text).toMatch(/^(?:https:\/\/|\/(?!\/)|#)/);
        }
      }
    }
  },
);

it('the subject of an email is one line', () => {
  for (const { text } of HOSTILE_TEXTS) {
    const subject = `${text}\r\nBcc: everybody@example.com`;
    const content = {
      language: 'en' as const,
      organization: '',
      origin: '',
      heading: '',
      paragraphs: [],
      note: '',
    };
    expect(layOut('a@example.com', { ...content, subject }, null).subject).not.toMatch(
      /[\p{Cc}\u{2028}\u{2029}]/u,
    );
  }
});

it('the check itself notices an extra element and an extra attribute', () => {
  expect(skeleton('<p title="x">')).toEqual(skeleton('<p title="y z">'));
  expect(skeleton('<p title="x">')).not.toEqual(skeleton('<p title="x" onclick="y">'));
  expect(skeleton('<p>x</p>')).not.toEqual(skeleton('<p><b>x</b></p>'));
});
