// The HTML of accepting an invitation, in English and Persian. No script: only forms and messages.
import type { RoleCode } from '../accounts/roles.ts';
import type { Over } from '../chat/administration/invitations/validity.ts';
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { formPage, otherLanguage, type PageValues } from './page.ts';
import { TEXTS, type Said } from './signup-texts.ts';

export interface SignupPage {
  readonly language: Language;
  /** Where the same page is in the other language. */
  readonly path: string;
}

export interface FormPage extends SignupPage {
  readonly csrfToken: string;
  readonly key: string;
}

export interface JoinForm extends FormPage {
  readonly email: string;
  readonly problem: Said | undefined;
  /** Emails cannot be sent, so there is no form. */
  readonly isShut: boolean;
  /** Where the form is sent; the page of the link by default. */
  readonly action?: string;
}

/** A reusable link: anybody may have it, so the page shows only the name of the organization. */
export function renderJoin(values: PageValues, page: JoinForm): string {
  const text = TEXTS[page.language];
  const form = `
    <p class="lede">${text.joinLede}</p>
    ${alert(page, page.problem)}
    <form class="form" method="post" action="${escapeHtml(page.action ?? `/join/${page.key}/`)}">
      ${hidden(page)}
      <label for="email">${text.address}</label>
      <input id="email" name="email" type="email" dir="ltr" required maxlength="254" autocomplete="email"
        autocapitalize="none" spellcheck="false" value="${escapeHtml(page.email)}"${described(page.problem, 'email')}>
      <button class="button primary" type="submit">${text.sendLink}</button>
    </form>
    ${signIn(page)}`;
  return render(
    values,
    page,
    text.join(organizationOf(values)),
    page.isShut ? `<p class="lede">${text.shut}</p>` : form,
  );
}

/** The same whether there is an account or not. */
export function renderSent(values: PageValues, page: SignupPage & { email: string }): string {
  const text = TEXTS[page.language];
  return render(
    values,
    page,
    text.lookIntoMail,
    `<p class="lede">${text.sent(`<bdi dir="ltr">${escapeHtml(page.email)}</bdi>`)}</p>
    <p class="hint">${text.nothingCame} <a href="${escapeHtml(page.path)}">${text.anotherAddress}</a></p>`,
  );
}

export interface AccountForm extends FormPage {
  readonly email: string;
  readonly fullName: string;
  readonly role: RoleCode;
  /** Undefined for a person who came by a reusable link: nobody in particular invited them. */
  readonly inviter: string | undefined;
  readonly channels: readonly string[];
  readonly termsUrl: string;
  readonly hasAgreed: boolean;
  readonly problem: Said | undefined;
  /** Where the form is sent; where invitations are accepted by default. */
  readonly action?: string;
}

export function renderAccount(values: PageValues, page: AccountForm): string {
  const text = TEXTS[page.language];
  const { problem } = page;
  const terms =
    page.termsUrl === ''
      ? ''
      : `<label class="check" for="terms"><input id="terms" name="terms" type="checkbox" value="true" required${page.hasAgreed ? ' checked' : ''}${described(problem, 'terms')}>
        <span>${text.agree(`<a href="${escapeHtml(page.termsUrl)}" target="_blank" rel="noopener noreferrer">${text.terms}</a>`)}</span></label>`;
  return render(
    values,
    page,
    text.join(organizationOf(values)),
    `<p class="lede">${welcome(page)}</p>
    ${alert(page, problem)}
    <form class="form" method="post" action="${escapeHtml(page.action ?? '/accounts/register/')}">
      ${hidden(page)}
      <input type="hidden" name="key" value="${escapeHtml(page.key)}">
      <label for="email">${text.address}</label>
      <input id="email" type="email" dir="ltr" value="${escapeHtml(page.email)}" readonly autocomplete="username">
      <label for="full_name">${text.name}</label>
      <input id="full_name" name="full_name" type="text" dir="auto" required maxlength="100" autocomplete="name"
        value="${escapeHtml(page.fullName)}"${described(problem, 'name', 'name-hint')}>
      <p class="hint" id="name-hint">${text.nameHint}</p>
      <label for="password">${text.password}</label>
      <input id="password" name="password" type="password" dir="ltr" required minlength="8" maxlength="100"
        autocomplete="new-password"${described(problem, 'password', 'password-hint')}>
      <p class="hint" id="password-hint">${text.passwordHint}</p>
      ${terms}
      <button class="button primary" type="submit">${text.create}</button>
    </form>`,
  );
}

function welcome({ language, inviter, role, channels }: AccountForm): string {
  const text = TEXTS[language];
  const names = channels.map((name) => `<bdi class="channel">#${escapeHtml(name)}</bdi>`);
  const who =
    inviter === undefined ? text.confirmed : text.invited(`<bdi>${escapeHtml(inviter)}</bdi>`);
  const where = names.length === 0 ? '' : text.channels(names.join(text.comma));
  return [who, text.roles[role], where].filter((part) => part !== '').join(' ');
}

/** For a key that is not valid, or not any more. */
export function renderOver(values: PageValues, page: SignupPage, over: Over): string {
  const text = TEXTS[page.language];
  const [href, label] = over === 'used' ? ['/login/', text.signIn] : ['/', text.frontPage];
  return render(
    values,
    page,
    text.over,
    `<p class="lede">${text.why[over]}</p>
    <div class="actions"><a class="button primary" href="${href}">${label}</a></div>`,
  );
}

/** For somebody who wants to register where an invitation is needed. */
export function renderInvitedOnly(values: PageValues, page: SignupPage): string {
  const text = TEXTS[page.language];
  return render(
    values,
    page,
    text.join(organizationOf(values)),
    `<p class="lede">${text.invitedOnly}</p>
    ${signIn(page)}`,
  );
}

/** For problems that belong to no field. */
export function renderTrouble(values: PageValues, page: SignupPage, problem: Said): string {
  return render(values, page, TEXTS[page.language].notNow, alert(page, problem));
}

function alert({ language }: SignupPage, problem: Said | undefined): string {
  if (problem === undefined) return '';
  return `<p class="problem" role="alert" id="problem">${problem[language]}</p>`;
}

/** The ids that describe a field: always its hint, and the problem if it is about this field. */
function described(problem: Said | undefined, field: Said['field'], hint?: string): string {
  const isWrong = problem?.field === field;
  const ids = [...(isWrong ? ['problem'] : []), ...(hint === undefined ? [] : [hint])];
  if (ids.length === 0) return '';
  return `${isWrong ? ' aria-invalid="true" autofocus' : ''} aria-describedby="${ids.join(' ')}"`;
}

const hidden = ({ csrfToken, language }: FormPage): string =>
  `<input type="hidden" name="csrfmiddlewaretoken" value="${escapeHtml(csrfToken)}">
      <input type="hidden" name="lang" value="${language}">`;

const signIn = ({ language }: SignupPage): string =>
  `<p class="hint">${TEXTS[language].haveAccount} <a href="/login/?lang=${language}">${TEXTS[language].signIn}</a></p>`;

const organizationOf = ({ organization }: PageValues): string =>
  `<bdi>${escapeHtml(organization)}</bdi>`;

function render(values: PageValues, page: SignupPage, heading: string, body: string): string {
  const { language, path } = page;
  return formPage(values, {
    language,
    title: TEXTS[language].title,
    heading,
    body,
    otherHref: `${escapeHtml(path)}?lang=${otherLanguage(language)}`,
    otherLabel: TEXTS[language].other,
  });
}
