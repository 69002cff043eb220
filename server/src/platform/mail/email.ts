// An email: its content, and the one layout that all emails have. Pure. Mail programs ignore style sheets, so the
// style is inline.
import { escapeHtml } from '../std/html.ts';
import type { Language } from '../std/language.ts';

/** Emails are written in the languages of the pages; everybody else gets English. */
export const languageOf = (code: unknown): Language => (code === 'fa' ? 'fa' : 'en');

export interface EmailText {
  readonly language: Language;
  /** The sender: the name of the organization, and its address. */
  readonly organization: string;
  readonly origin: string;
  readonly subject: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** The one action that the reader may want. */
  readonly action?: { readonly label: string; readonly url: string };
  /** In small print: why this came, and what to do if it was not expected. */
  readonly note: string;
}

/** Ready to be sent. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** After this time (milliseconds) its content is outdated, and it is not sent. */
  readonly notAfterMs: number | null;
}

const SUBJECT_CHARACTERS_MAX = 150;

const COLOR = {
  background: '#f6f7f9',
  panel: '#ffffff',
  text: '#15191f',
  muted: '#55606e',
  accent: '#1559b7',
  line: '#dde2e8',
} as const;

const FONTS: Readonly<Record<Language, string>> = {
  en: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  fa: "Vazirmatn, 'Noto Sans Arabic', 'Segoe UI', Tahoma, system-ui, sans-serif",
};

const LINK_HINT: Readonly<Record<Language, string>> = {
  en: 'If the button does not work, open this address:',
  fa: 'اگر دکمه کار نمی‌کند، این نشانی را باز کنید:',
};

export function layOut(to: string, content: EmailText, notAfterMs: number | null): Email {
  return {
    to,
    subject: oneLine(content.subject),
    html: layOutHtml(content),
    text: layOutText(content),
    notAfterMs,
  };
}

/** What the reader sees is within it. */
const WRAP = '<div style="max-width:520px;margin:0 auto">';

const PHRASE_LABEL: Readonly<Record<Language, string>> = { en: 'Your phrase', fa: 'عبارت شما' };

/** Puts the phrase of its reader above everything else of an email that is laid out. */
export function headEmail(email: Email, phrase: string): Email {
  const label = PHRASE_LABEL[email.html.includes('<html lang="fa"') ? 'fa' : 'en'];
  const line = `${WRAP}
<p style="margin:0 0 16px;color:${COLOR.muted}">${label}: <b dir="auto">${escapeHtml(phrase)}</b></p>`;
  return {
    ...email,
    html: email.html.replace(WRAP, () => line),
    text: `${label}: ${phrase}\n\n${email.text}`,
  };
}

/** A subject is one line, whatever the names in it contain. */
function oneLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\u{2028}\u{2029}]+/gu, ' ').trim();
  return Array.from(line).slice(0, SUBJECT_CHARACTERS_MAX).join('');
}

function layOutText({ heading, paragraphs, action, note, organization, origin }: EmailText) {
  const parts = [
    heading,
    ...paragraphs,
    ...(action === undefined ? [] : [`${action.label}:\n${action.url}`]),
    `-- \n${note}\n${organization}\n${origin}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function layOutHtml(content: EmailText): string {
  const { language, organization, origin, heading, paragraphs, action, note } = content;
  const direction = language === 'fa' ? 'rtl' : 'ltr';
  const leading = language === 'fa' ? '1.9' : '1.6';
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(oneLine(content.subject))}</title>
</head>
<body dir="${direction}" style="margin:0;padding:24px 12px;background:${COLOR.background};color:${COLOR.text};font:16px/${leading} ${FONTS[language]}">
${WRAP}
<p style="margin:0 0 16px;font-weight:600" dir="auto">${escapeHtml(organization)}</p>
<div style="background:${COLOR.panel};border:1px solid ${COLOR.line};border-radius:12px;padding:28px 24px">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.4">${escapeHtml(heading)}</h1>
${paragraphs.map(paragraph).join('\n')}
${action === undefined ? '' : button(action, LINK_HINT[language])}
</div>
<p style="margin:20px 0 0;font-size:14px;color:${COLOR.muted}">${escapeHtml(note)}</p>
<p style="margin:8px 0 0;font-size:14px"><a href="${escapeHtml(origin)}" dir="ltr" style="color:${COLOR.muted}">${escapeHtml(origin)}</a></p>
</div>
</body>
</html>
`;
}

const button = ({ label, url }: { label: string; url: string }, hint: string): string =>
  `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 22px;` +
  `background:${COLOR.accent};color:#ffffff;border-radius:10px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
<p style="margin:0;font-size:14px;color:${COLOR.muted}">${escapeHtml(hint)}<br>` +
  `<a href="${escapeHtml(url)}" dir="ltr" style="color:${COLOR.accent};overflow-wrap:anywhere;word-break:break-all">${escapeHtml(url)}</a></p>`;
