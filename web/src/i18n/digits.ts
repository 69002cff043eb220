// Reads a number that a person typed or pasted. It never guesses: what can be read in two ways comes back as a question.

/** What a text says. */
export type Reading =
  | { readonly kind: 'empty' }
  /** A plain decimal: an optional minus, digits, and perhaps a point with digits. As many decimals as were given. */
  | { readonly kind: 'number'; readonly value: string }
  /** A comma or a second point may separate decimals or thousands: the person has to choose. */
  | { readonly kind: 'unclear'; readonly choices: readonly [string, ...string[]] }
  | { readonly kind: 'refused'; readonly reason: Refusal };

export type Refusal =
  /** "1e5" */
  | 'exponent'
  /** Letters or signs that are not the unit of the field: "10k", "12 BTC" in a field of USDT. */
  | 'letters'
  /** Separators where none can be: "12,34,5", "1 23". */
  | 'separators'
  /** Longer than any amount. */
  | 'length';

/** No amount needs more; a pasted book is refused before it is looked at. */
const LENGTH_MAX = 100;

/** One sign for all that mean the same. Thousands that are unmistakable become `_`; a comma stays a comma. */
function fold(text: string): string {
  return text
    .replace(/[\u200b-\u200f\u061c\u202a-\u202e\u2060-\u2069\ufeff]/gu, '')
    .replace(/[۰-۹]/gu, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replace(/[٠-٩]/gu, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[０-９]/gu, (digit) => String(digit.charCodeAt(0) - 0xff10))
    .replaceAll('٫', '.')
    .replace(/[٬'’]/gu, '_')
    .replaceAll('،', ',')
    .replaceAll('−', '-')
    .replace(/\s+/gu, ' ')
    .trim();
}

function withoutUnit(text: string, units: readonly string[]): string {
  const lower = text.toLowerCase();
  for (const unit of units) {
    const name = fold(unit).toLowerCase();
    if (name === '') continue;
    if (lower.endsWith(name)) return text.slice(0, text.length - name.length).trim();
    if (lower.startsWith(name)) return text.slice(name.length).trim();
  }
  return text;
}

/** Without needless zeros in front, and without a minus before nought. */
function canonical(sign: string, whole: string, fraction: string): string {
  const digits = whole.replace(/^0+(?=\d)/u, '') || '0';
  const value = fraction === '' ? digits : `${digits}.${fraction}`;
  return sign === '-' && /[1-9]/u.test(value) ? `-${value}` : value;
}

/** Whether all groups after the first have three digits, as in "1,234,567", or two and three, as in "12,34,567". */
function areGroups(groups: readonly string[]): boolean {
  const [first = '', ...others] = groups;
  if (!/^[1-9]\d{0,2}$/u.test(first)) return false;
  const last = others.at(-1);
  if (last?.length !== 3) return false;
  const middle = others.slice(0, -1);
  return (
    middle.every((group) => group.length === 3) ||
    (first.length <= 2 && middle.every((group) => group.length === 2))
  );
}

/** The ways to read a number whose separators are known not to be plain. */
function choicesOf(sign: string, text: string, separator: ',' | '.'): string[] {
  const groups = text.split(separator);
  if (groups.some((group) => !/^\d*$/u.test(group))) return [];
  const choices: string[] = [];
  if (areGroups(groups)) choices.push(canonical(sign, groups.join(''), ''));
  const [whole = '', fraction = ''] = groups;
  if (groups.length === 2) choices.push(canonical(sign, whole, fraction));
  return choices;
}

function ask(choices: readonly string[]): Reading {
  const [first, ...others] = choices;
  return first === undefined
    ? { kind: 'refused', reason: 'separators' }
    : { kind: 'unclear', choices: [first, ...others] };
}

/** Reads a decimal. `units` are the texts that may stand before or after it, as "USDT" in "64,210.50 USDT". */
export function readDecimal(text: string, units: readonly string[] = []): Reading {
  if (text.length > LENGTH_MAX) return { kind: 'refused', reason: 'length' };
  const bare = withoutUnit(fold(text), units);
  if (bare === '') return { kind: 'empty' };
  const sign = /^[+-]/u.exec(bare)?.[0] ?? '';
  const unsigned = bare.slice(sign.length).trim();
  if (/\d\s?e/iu.test(unsigned)) return { kind: 'refused', reason: 'exponent' };
  if (!/^[\d.,_ ]+$/u.test(unsigned) || !/\d/u.test(unsigned))
    return { kind: 'refused', reason: 'letters' };

  // Spaces and the Persian separator can only be thousands; then they stand where thousands do.
  const [head = '', ...tail] = unsigned.split(/(?=[.,])/u);
  if (tail.some((part) => /[_ ]/u.test(part)) && /[_ ]/u.test(unsigned))
    return { kind: 'refused', reason: 'separators' };
  const spaced = head.split(/[_ ]/u);
  if (spaced.length > 1 && !areGroups(spaced)) return { kind: 'refused', reason: 'separators' };
  const plain = spaced.join('') + tail.join('');

  const commas = plain.split(',').length - 1;
  const points = plain.split('.').length - 1;
  if (commas === 0 && points <= 1) {
    const [whole = '', fraction = ''] = plain.split('.');
    return { kind: 'number', value: canonical(sign, whole, fraction) };
  }
  if (spaced.length > 1) return ask(commas === 1 && points === 0 ? decimalOnly(sign, plain) : []);
  if (points === 0) {
    const groups = plain.split(',');
    return commas > 1 && areGroups(groups)
      ? { kind: 'number', value: canonical(sign, groups.join(''), '') }
      : ask(choicesOf(sign, plain, ','));
  }
  if (commas === 0) return ask(choicesOf(sign, plain, '.'));
  return readMixed(sign, plain);
}

function decimalOnly(sign: string, plain: string): string[] {
  const [whole = '', fraction = ''] = plain.split(',');
  return [canonical(sign, whole, fraction)];
}

/** Commas and points together: the last kind separates the decimals. "64,210.50" is plain; "64.210,50" is asked, for it
 *  is not how this page writes. */
function readMixed(sign: string, plain: string): Reading {
  const isOurs = plain.lastIndexOf('.') > plain.lastIndexOf(',');
  const [whole = '', fraction = '', ...more] = plain.split(isOurs ? '.' : ',');
  const groups = whole.split(isOurs ? ',' : '.');
  if (more.length > 0 || !areGroups(groups)) return { kind: 'refused', reason: 'separators' };
  const value = canonical(sign, groups.join(''), fraction);
  return isOurs ? { kind: 'number', value } : ask([value]);
}
