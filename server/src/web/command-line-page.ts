// The HTML of letting a command line act for an operator, in English and Persian. No script. The code is never filled in:
// it is typed by somebody who reads it at that command line.
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { hidden, renderLoginFrame, type LoginPage } from './login-page.ts';
import type { PageValues } from './page.ts';

const TEXTS = {
  en: {
    heading: 'Let a command line act for you',
    why: 'Type the code that `rialto operator login` printed. Only do this for a command line that you started yourself.',
    code: 'Code',
    look: 'Go on',
    askHeading: 'Is this your command line?',
    ask: 'It would act for you as an operator, for an hour at most. If you did not start it, deny it, and tell the other operators.',
    host: 'Machine',
    login: 'User',
    address: 'Network address',
    otp: 'Code of your authenticator app',
    fresh: 'You have shown your passkey a moment ago, so nothing more is needed.',
    confirm: 'Let it act for me',
    deny: 'Deny it',
    done: 'The command line may act for you now. You can end it in the list of your sessions.',
    denied: 'It was denied, and may not act.',
    problems: {
      unknown:
        'No command line waits with this code. A code is good once, for ten minutes. Five wrong ones in an hour are too many.',
      'too-many': 'Too many wrong codes were typed. Try again in an hour.',
      factor: 'The code of your app is wrong, or was used before. Wait for the next one.',
      expired: 'This form is too old. Please send it once more.',
      'no-grant': 'You have no right of an operator, so no command line can act for you.',
      'no-factor': 'Operators act only with a second factor, and you have none. Add one first.',
      unavailable: 'That is not possible at the moment. Try again shortly.',
    },
  },
  fa: {
    heading: 'اجازه به یک خط فرمان',
    why: 'کدی را که `rialto operator login` نشان داده است بنویسید. این کار را تنها برای خط فرمانی بکنید که خودتان آغاز کرده‌اید.',
    code: 'کد',
    look: 'ادامه',
    askHeading: 'این خط فرمان شماست؟',
    ask: 'این خط فرمان به‌عنوان گرداننده به جای شما کار می‌کند، حداکثر یک ساعت. اگر خودتان آن را آغاز نکرده‌اید، رد کنید و به گردانندگان دیگر بگویید.',
    host: 'ماشین',
    login: 'کاربر',
    address: 'نشانی شبکه',
    otp: 'کد برنامهٔ احراز هویت شما',
    fresh: 'گذرکلید خود را لحظه‌ای پیش نشان داده‌اید، پس چیز دیگری لازم نیست.',
    confirm: 'اجازه می‌دهم',
    deny: 'رد می‌کنم',
    done: 'اکنون خط فرمان می‌تواند به جای شما کار کند. می‌توانید در فهرست نشست‌های خود به آن پایان دهید.',
    denied: 'رد شد و نمی‌تواند کار کند.',
    problems: {
      unknown:
        'هیچ خط فرمانی با این کد منتظر نیست. هر کد یک بار و تا ده دقیقه کار می‌کند. پنج کد نادرست در یک ساعت بیش از حد است.',
      'too-many': 'کدهای نادرست بیش از حد بود. یک ساعت دیگر دوباره امتحان کنید.',
      factor: 'کد برنامهٔ شما نادرست است یا پیش‌تر به کار رفته است. منتظر کد بعدی بمانید.',
      expired: 'این فرم قدیمی شده است. لطفاً آن را یک بار دیگر بفرستید.',
      'no-grant': 'شما اختیار گرداننده ندارید، پس هیچ خط فرمانی نمی‌تواند به جای شما کار کند.',
      'no-factor':
        'گردانندگان تنها با عامل دوم کار می‌کنند و شما عامل دومی ندارید. نخست یکی بیفزایید.',
      unavailable: 'این کار اکنون ممکن نیست. کمی بعد دوباره امتحان کنید.',
    },
  },
} as const satisfies Record<Language, unknown>;

export const COMMAND_LINE_PATH = '/accounts/cli/';

export type CommandLineProblem = keyof (typeof TEXTS)['en']['problems'];

export interface CommandLinePage extends LoginPage {
  readonly problem?: CommandLineProblem | undefined;
  readonly done?: 'done' | 'denied' | undefined;
}

/** A command line that waits, as the person who typed its code sees it. */
export interface ShownCommandLine {
  /** As it was typed. */
  readonly code: string;
  readonly host: string;
  readonly login: string;
  readonly address: string;
  /** Whether a code of an app is asked for. */
  readonly takesOtp: boolean;
}

const alertOf = ({ language, problem }: CommandLinePage): string =>
  problem === undefined
    ? ''
    : `<p class="problem" role="alert" id="problem">${TEXTS[language].problems[problem]}</p>`;

const frame = (values: PageValues, page: CommandLinePage, heading: string, content: string) =>
  renderLoginFrame(values, { ...page, path: COMMAND_LINE_PATH }, heading, content);

/** The form for the code. */
export function renderCommandLine(values: PageValues, page: CommandLinePage): string {
  const text = TEXTS[page.language];
  const { done, problem } = page;
  const notice = done === undefined ? '' : `<p role="status">${text[done]}</p>`;
  const described = problem === undefined ? '' : ' aria-describedby="problem"';
  return frame(
    values,
    page,
    text.heading,
    `${alertOf(page)}${notice}<p class="lede">${code(text.why)}</p>
    <form class="form" method="post" action="${COMMAND_LINE_PATH}">
      ${hidden(page)}
      <label for="cli-code">${text.code}</label>
      <input id="cli-code" name="code" type="text" dir="ltr" required autocomplete="off"
        autocapitalize="none" spellcheck="false" maxlength="40" value=""${described}>
      <button class="button primary" type="submit" name="step" value="look">${text.look}</button>
    </form>`,
  );
}

/** Who waits with the code, and the two answers. */
export function renderFoundCommandLine(
  values: PageValues,
  page: CommandLinePage,
  shown: ShownCommandLine,
): string {
  const text = TEXTS[page.language];
  const row = (label: string, value: string) =>
    `<dt>${label}</dt><dd dir="ltr">${escapeHtml(value)}</dd>`;
  const otp = shown.takesOtp
    ? `<label for="otp">${text.otp}</label>
      <input id="otp" name="otp" type="text" dir="ltr" inputmode="numeric"
        autocomplete="one-time-code" maxlength="12">`
    : `<p>${text.fresh}</p>`;
  return frame(
    values,
    page,
    text.askHeading,
    `${alertOf(page)}<p class="lede">${text.ask}</p>
    <dl>${row(text.host, shown.host)}${row(text.login, shown.login)}${row(text.address, shown.address)}</dl>
    <form class="form" method="post" action="${COMMAND_LINE_PATH}">
      ${hidden(page)}
      <input type="hidden" name="code" value="${escapeHtml(shown.code)}">
      ${otp}
      <button class="button primary" type="submit" name="step" value="confirm">${text.confirm}</button>
      <button class="button" type="submit" name="step" value="deny">${text.deny}</button>
    </form>`,
  );
}

/** Our own texts mark commands with back quotes. */
const code = (text: string): string => text.replaceAll(/`([^`]*)`/g, '<code dir="ltr">$1</code>');
