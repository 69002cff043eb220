import { escapeText } from '../../../platform/std/html.ts';

/** Plain text as HTML. */
export function plainTextToHtml(text: string): string {
  if (text === '') return '';
  return `<p>${escapeText(text)}</p>`;
}
