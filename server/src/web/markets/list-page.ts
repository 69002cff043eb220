// The HTML of the list of markets: it works without a script, and search engines read it.
import { escapeHtml } from '../../platform/std/html.ts';
import type { Language } from '../../platform/std/language.ts';
import type { MarketOverview } from '../../trading/tickers/overview.ts';
import { directionOf, grouped, showChange } from '../figures.ts';
import type { PageValues } from '../page.ts';
import { chooseMarkets, quotesOf, SORTS, type Choice } from './choose.ts';
import { framed } from './frame.ts';
import { renderSpark } from './spark.ts';
import { TEXTS } from './texts.ts';

export interface MarketsPage {
  readonly language: Language;
  readonly markets: readonly MarketOverview[];
  readonly choice: Choice;
}

export function renderMarkets(values: PageValues, page: MarketsPage): string {
  const { language, markets, choice } = page;
  const text = TEXTS[language];
  const shown = chooseMarkets(markets, choice);
  const table =
    shown.length > 0 ? marketTable(language, shown) : renderNothing(language, markets, choice);
  return framed(values, {
    language,
    path: '/markets',
    query: queryOf(choice),
    title: text.markets,
    description: text.about(values.organization),
    main: `
    <h1 id="title">${text.markets}</h1>
    ${searchForm(language, choice)}
    ${quoteLinks(language, markets, choice)}
    <p class="hint" role="status">${text.count(shown.length, markets.length)}</p>
    ${table}`,
  });
}

/** The part of an address that makes a choice; empty for the usual one. */
function queryOf({ search, quote, sort }: Choice): string {
  const query = new URLSearchParams();
  if (search !== '') query.set('q', search);
  if (quote !== '') query.set('quote', quote);
  if (sort !== 'volume') query.set('sort', sort);
  return query.toString();
}

function searchForm(language: Language, { search, quote, sort }: Choice): string {
  const text = TEXTS[language];
  const options = SORTS.map(
    (one) => `<option value="${one}"${one === sort ? ' selected' : ''}>${text.sorts[one]}</option>`,
  );
  return `<form class="choice" method="get" action="/markets" role="search">
      <input type="hidden" name="lang" value="${language}">
      ${quote === '' ? '' : `<input type="hidden" name="quote" value="${escapeHtml(quote)}">`}
      <label>${text.search}<input type="search" name="q" value="${escapeHtml(search)}" placeholder="${text.searchHint}" maxlength="60" dir="auto" autocomplete="off"></label>
      <label>${text.sort}<select name="sort">${options.join('')}</select></label>
      <button class="button primary" type="submit">${text.show}</button>
    </form>`;
}

function quoteLinks(
  language: Language,
  markets: readonly MarketOverview[],
  choice: Choice,
): string {
  const text = TEXTS[language];
  const links = ['', ...quotesOf(markets)].map((quote) => {
    const query = queryOf({ ...choice, quote });
    const href = `/markets?lang=${language}${query === '' ? '' : `&${query}`}`;
    const current = quote === choice.quote ? ' aria-current="true"' : '';
    const label =
      quote === '' ? text.all : `<bdi dir="ltr">${escapeHtml(quote.toUpperCase())}</bdi>`;
    return `<li><a href="${escapeHtml(href)}"${current}>${label}</a></li>`;
  });
  return `<nav class="quotes" aria-label="${text.quotes}"><ul>${links.join('')}</ul></nav>`;
}

function renderNothing(
  language: Language,
  markets: readonly MarketOverview[],
  { search, quote }: Choice,
): string {
  const text = TEXTS[language];
  if (markets.length === 0) return `<p>${text.nothing}</p>`;
  const sought = search === '' ? quote.toUpperCase() : search;
  return `<p dir="auto">${escapeHtml(text.nothingFound(sought))}</p>
    <p><a class="button" href="/markets?lang=${language}">${text.showAll}</a></p>`;
}

/** A wide table scrolls in its own box, which must therefore be focusable. */
export function marketTable(language: Language, markets: readonly MarketOverview[]): string {
  const text = TEXTS[language];
  return `<div class="scroll" tabindex="0" role="region" aria-label="${text.markets}"><table class="prices markets">
      <thead><tr><th scope="col">${text.market}</th><th scope="col">${text.last}</th><th scope="col">${text.change}</th><th scope="col" class="wide">${text.high}</th><th scope="col" class="wide">${text.low}</th><th scope="col" class="wide">${text.volume}</th><th scope="col" class="wide"><span class="unseen">${text.day}</span></th></tr></thead>
      <tbody>
      ${markets.map((market) => row(language, market)).join('\n      ')}
      </tbody>
    </table></div>`;
}

function row(language: Language, market: MarketOverview): string {
  const { base, quote, last, high, low, changePercent, total, phase, phaseReason, closes } = market;
  const [own, other] =
    language === 'fa' ? [market.nameFa, market.nameEn] : [market.nameEn, market.nameFa];
  const pair = `${base.toUpperCase()}/${quote.toUpperCase()}`;
  const state =
    phase === 'continuous' ? '' : ` <span class="state">${TEXTS[language].phases[phase]}</span>`;
  const reason =
    phaseReason === '' ? '' : `<span class="reason"><bdi>${escapeHtml(phaseReason)}</bdi></span>`;
  const figure = (decimal: string) =>
    `<bdi dir="ltr">${escapeHtml(grouped(decimal, language))}</bdi>`;
  return `<tr><th scope="row"><a href="${coinAddress(base, language)}"><bdi dir="ltr">${escapeHtml(pair)}</bdi></a>${state}${reason}<span class="names"><bdi>${escapeHtml(own)}</bdi> <bdi lang="${language === 'fa' ? 'en' : 'fa'}" class="wide">${escapeHtml(other)}</bdi></span></th><td>${figure(last)}</td><td class="${directionOf(changePercent)}"><bdi dir="ltr">${escapeHtml(showChange(changePercent, language))}</bdi></td><td class="wide">${figure(high)}</td><td class="wide">${figure(low)}</td><td class="wide">${figure(shortened(total))} <bdi dir="ltr">${escapeHtml(quote.toUpperCase())}</bdi></td><td class="wide">${renderSpark(closes)}</td></tr>`;
}

export const coinAddress = (symbol: string, language: Language): string =>
  escapeHtml(`/coins/${encodeURIComponent(symbol)}?lang=${language}`);

/** A day's volume without its last digits, cut and never rounded up. */
const shortened = (decimal: string): string => {
  const [whole = '', part = ''] = decimal.split('.');
  return whole === '0' ? decimal : [whole, part.slice(0, 2)].filter(Boolean).join('.');
};
