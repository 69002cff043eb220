// Markets and their prices, as pages show them.
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import type { Price } from '../trading/tickers/summary.ts';

/** The rest is a link away. */
const ROWS_MAX = 12;

const TEXTS = {
  en: {
    market: 'Market',
    last: 'Last price',
    change: '24 hours',
    shut: 'not open',
    none: 'There is no market here yet.',
    all: 'All of them, as JSON',
    simulated:
      'Money is simulated here: deposits come out of nothing, and no coin is worth anything.',
  },
  fa: {
    market: 'بازار',
    last: 'آخرین قیمت',
    change: '۲۴ ساعت',
    shut: 'بسته',
    none: 'اینجا هنوز بازاری نیست.',
    all: 'همهٔ بازارها به صورت JSON',
    simulated: 'پول اینجا شبیه‌سازی شده است: واریزها از هیچ می‌آیند و هیچ رمزارزی ارزشی ندارد.',
  },
} as const;

export interface MarketPrices {
  readonly prices: readonly Price[];
  readonly isSimulated: boolean;
}

export function renderPrices(language: Language, { prices, isSimulated }: MarketPrices): string {
  const text = TEXTS[language];
  const note = isSimulated ? `<p class="intro">${text.simulated}</p>` : '';
  if (prices.length === 0) return `${note}<p>${text.none}</p>`;
  // Markets with trades come first.
  const shown = [...prices].sort((a, b) => Number(b.isOpen) - Number(a.isOpen)).slice(0, ROWS_MAX);
  return `${note}<table class="prices">
      <thead><tr><th scope="col">${text.market}</th><th scope="col">${text.last}</th><th scope="col">${text.change}</th></tr></thead>
      <tbody>
      ${shown.map((price) => row(language, price)).join('\n      ')}
      </tbody>
    </table>
    <p><a href="/v1/public/tickers">${text.all}</a></p>`;
}

function row(language: Language, { base, quote, last, changePercent, isOpen }: Price): string {
  const name = `${base.toUpperCase()}/${quote.toUpperCase()}`;
  const change = isOpen ? changeOf(changePercent) : TEXTS[language].shut;
  return `<tr><th scope="row"><bdi dir="ltr">${escapeHtml(name)}</bdi></th><td><bdi dir="ltr">${escapeHtml(grouped(last))}</bdi></td><td${classOf(changePercent)}><bdi>${escapeHtml(change)}</bdi></td></tr>`;
}

const classOf = (percent: string): string => {
  const value = Number(percent);
  if (value === 0) return '';
  return value > 0 ? ' class="up"' : ' class="down"';
};

/** With its sign: some people cannot see the colours. */
function changeOf(percent: string): string {
  if (percent === '') return '–';
  const value = Number(percent);
  return `${value > 0 ? '+' : ''}${value.toFixed(2)}%`;
}

/** The whole part in groups of three; the decimals as they are. */
function grouped(decimal: string): string {
  if (decimal === '') return '–';
  const [whole = '', ...rest] = decimal.split('.');
  const groups: string[] = [];
  for (let end = whole.length; end > 0; end -= 3) {
    groups.unshift(whole.slice(Math.max(0, end - 3), end));
  }
  return [groups.join(','), ...rest].join('.');
}
