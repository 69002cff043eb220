// The HTML of the client's page: everything that a browser can know before the script runs.
import { escapeHtml } from '../../platform/std/html.ts';
import type { Language } from '../../platform/std/language.ts';
import type { PageFiles } from './build.ts';
import { TOUCH_ICON } from './web-manifest.ts';

export type Theme = 'system' | 'light' | 'dark';

/** What the script finds in the page. It says the same as the API, and so nothing that its reader may not know. */
export interface Boot {
  readonly csrfToken?: string;
  /** Null for a stranger. */
  readonly user: {
    readonly id: number;
    readonly email: string;
    readonly fullName: string;
    readonly role: number;
    /** What the person may do as an operator of the venue. */
    readonly grants: readonly string[];
  } | null;
  readonly language: Language;
  readonly theme: Theme;
  readonly organization: { readonly name: string };
  /** Of the server, for error reports. */
  readonly version: string;
  readonly flags: { readonly isMoneySimulated: boolean };
  /** The page is for a service worker to show while there is no network: whose it is, the browser itself knows. */
  readonly isKept?: true;
}

export interface Shell {
  readonly boot: Boot;
  readonly files: PageFiles;
  /** Scripts of the view at the page's address. */
  readonly viewScripts?: readonly string[];
  readonly nonce: string;
  readonly persianFont: string | undefined;
}

const NO_SCRIPT = {
  en: {
    text: 'This page needs JavaScript. Your account, your keys and your sessions have pages without it.',
    link: 'Open my account',
  },
  fa: {
    text: 'این صفحه به جاوااسکریپت نیاز دارد. حساب، کلیدها و نشست‌های شما صفحه‌هایی بدون آن دارند.',
    link: 'باز کردن حساب من',
  },
} as const;

export function renderShell({ boot, files, viewScripts = [], nonce, persianFont }: Shell): string {
  const { language, theme, organization } = boot;
  const text = NO_SCRIPT[language];
  const isPersian = language === 'fa';
  const lines = [
    '<!doctype html>',
    `<html lang="${language}" dir="${isPersian ? 'rtl' : 'ltr'}"${theme === 'system' ? '' : ` data-theme="${theme}"`}>`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">',
    `<meta property="csp-nonce" nonce="${nonce}">`,
    `<title>${escapeHtml(organization.name)}</title>`,
    ...colours(theme),
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    `<link rel="manifest" href="/manifest.webmanifest?lang=${language}">`,
    `<link rel="apple-touch-icon" href="${TOUCH_ICON}">`,
    `<meta name="apple-mobile-web-app-title" content="${escapeHtml(organization.name)}">`,
    ...files.styles.map((href) => `<link rel="stylesheet" href="${href}">`),
    `<script type="module" src="${files.script}"></script>`,
    ...[...files.imports, ...viewScripts].map(
      (href) => `<link rel="modulepreload" href="${href}">`,
    ),
    ...(isPersian && persianFont !== undefined
      ? [`<link rel="preload" href="${persianFont}" as="font" type="font/woff2" crossorigin>`]
      : []),
    '</head>',
    '<body>',
    '<div id="root"></div>',
    `<noscript><p>${text.text} <a href="/account/?lang=${language}">${text.link}</a></p></noscript>`,
    `<script type="application/json" id="boot">${jsonOf(boot)}</script>`,
    '</body>',
    '</html>',
    '',
  ];
  return lines.join('\n');
}

/** The colour of the browser's own bars, as the page has it. */
function colours(theme: Theme): string[] {
  const [light, dark] = ['#f6f7f9', '#0e1116'];
  if (theme !== 'system') {
    return [`<meta name="theme-color" content="${theme === 'dark' ? dark : light}">`];
  }
  return [
    `<meta name="theme-color" content="${light}" media="(prefers-color-scheme: light)">`,
    `<meta name="theme-color" content="${dark}" media="(prefers-color-scheme: dark)">`,
  ];
}

/** No text in it can end the element, or begin a comment in it. */
const jsonOf = (boot: Boot): string => JSON.stringify(boot).replaceAll('<', String.raw`\u003c`);
