// What the pages of mailed links have in common: asking for an address, and saying that an email is on its way.
import { escapeHtml } from '../platform/std/html.ts';
import { hidden, renderLoginFrame, type LoginPage } from './login-page.ts';
import type { PageValues } from './page.ts';

const SIGN_IN = { en: 'Sign in', fa: 'ورود' } as const;

export const signInLink = ({ language }: LoginPage): string =>
  `<p><a href="/login/?lang=${language}">${SIGN_IN[language]}</a></p>`;

/** The form that asks for an address. */
export const addressForm = (
  page: LoginPage & { readonly email: string },
  action: string,
  text: { readonly address: string; readonly send: string },
): string => `<form class="form" method="post" action="${action}">
      ${hidden(page)}
      <label for="email">${text.address}</label>
      <input id="email" name="email" type="email" dir="ltr" required autocomplete="email"
        autocapitalize="none" spellcheck="false" maxlength="254" value="${escapeHtml(page.email)}">
      <button class="button primary" type="submit">${text.send}</button>
    </form>`;

/** Says that an email is on its way. It is the same for every address, known or not. */
export const sentPage = (
  values: PageValues,
  page: LoginPage,
  path: string,
  text: { readonly sent: string; readonly sentWhy: string },
): string =>
  renderLoginFrame(
    values,
    { ...page, path },
    text.sent,
    `<p class="lede">${text.sentWhy}</p>
    ${signInLink(page)}`,
  );
