// Markets and their prices, as pages show them.
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import type { Price } from '../trading/tickers/summary.ts';
import { directionOf, grouped, showChange } from './figures.ts';

/** The rest is a link away. */
const ROWS_MAX = 12;

const TEXTS = {
  en: {
    market: 'Market',
    last: 'Last price',
    change: '24 hours',
    shut: 'not open',
    none: 'There is no market here yet.',
    all: 'All markets',
    simulated:
      'Money is simulated here: deposits come out of nothing, and no coin is worth anything.',
  },
  fa: {
    market: 'بازار',
    last: 'آخرین قیمت',
    change: '۲۴ ساعت',
    shut: 'بسته',
    none: 'اینجا هنوز بازاری نیست.',
    all: 'همهٔ بازارها',
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
    <p><a href="/markets?lang=${language}">${text.all}</a></p>`;
}

function row(language: Language, { base, quote, last, changePercent, isOpen }: Price): string {
  const name = `${base.toUpperCase()}/${quote.toUpperCase()}`;
  const change = isOpen ? showChange(changePercent, language) : TEXTS[language].shut;
  return `<tr><th scope="row"><bdi dir="ltr">${escapeHtml(name)}</bdi></th><td><bdi dir="ltr">${escapeHtml(grouped(last, language))}</bdi></td><td class="${directionOf(changePercent)}"><bdi>${escapeHtml(change)}</bdi></td></tr>`;
}
