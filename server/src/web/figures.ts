// Figures as pages print them: decimal strings stay what they are, with signs and groups for people.
import type { Language } from '../platform/std/language.ts';

const PERSIAN: Readonly<Record<string, string>> = { ',': '٬', '.': '٫', '%': '٪' };

/** With the digits and separators of the language. */
const inDigitsOf = (language: Language, text: string): string =>
  language === 'en'
    ? text
    : text.replace(
        /[0-9,.%]/g,
        (sign) => PERSIAN[sign] ?? String.fromCharCode(0x06f0 + Number(sign)),
      );

/** The whole part in groups of three; the decimals as they are. */
export function grouped(decimal: string, language: Language): string {
  if (decimal === '') return '–';
  const [whole = '', ...rest] = decimal.split('.');
  const groups: string[] = [];
  for (let end = whole.length; end > 0; end -= 3) {
    groups.unshift(whole.slice(Math.max(0, end - 3), end));
  }
  return inDigitsOf(language, [groups.join(','), ...rest].join('.'));
}

export type Direction = 'up' | 'down' | 'level';

export function directionOf(percent: string): Direction {
  if (!/[1-9]/.test(percent)) return 'level';
  return percent.startsWith('-') ? 'down' : 'up';
}

const ARROWS: Readonly<Record<Direction, string>> = { up: '▲', down: '▼', level: '' };

/** With its sign and an arrow: some people cannot see the colours. */
export function showChange(percent: string, language: Language): string {
  if (percent === '') return '–';
  const direction = directionOf(percent);
  const sign = { up: '+', down: '−', level: '' }[direction];
  return inDigitsOf(language, `${ARROWS[direction]} ${sign}${percent.replace('-', '')}%`.trim());
}
