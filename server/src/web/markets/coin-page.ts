// The HTML of a coin's page: where it is traded, and on which networks it moves under which conditions.
import { escapeHtml } from '../../platform/std/html.ts';
import type { Language } from '../../platform/std/language.ts';
import type { Coin, Network } from '../../trading/coins/coin.ts';
import type { MarketOverview } from '../../trading/tickers/overview.ts';
import { grouped } from '../figures.ts';
import type { PageValues } from '../page.ts';
import { framed } from './frame.ts';
import { marketTable } from './list-page.ts';
import { TEXTS } from './texts.ts';

export interface CoinPage {
  readonly language: Language;
  readonly coin: Coin;
  /** Those whose base or quote it is. */
  readonly markets: readonly MarketOverview[];
}

export function renderCoin(values: PageValues, { language, coin, markets }: CoinPage): string {
  const text = TEXTS[language];
  const { symbol, nameEn, nameFa } = coin;
  const [name, other] = language === 'fa' ? [nameFa, nameEn] : [nameEn, nameFa];
  const networks = Object.values(coin.networks).sort(
    (a, b) => Number(b.isDefault) - Number(a.isDefault),
  );
  return framed(values, {
    language,
    path: `/coins/${encodeURIComponent(symbol)}`,
    title: text.coin(`${name} (${symbol.toUpperCase()})`),
    description: text.aboutCoin(name),
    main: `
    <h1 id="title"><bdi>${escapeHtml(name)}</bdi> <bdi dir="ltr" class="symbol">${escapeHtml(symbol.toUpperCase())}</bdi></h1>
    <p class="hint"><bdi lang="${language === 'fa' ? 'en' : 'fa'}">${escapeHtml(other)}</bdi></p>
    <h2>${text.tradedIn}</h2>
    ${markets.length === 0 ? `<p>${text.notTraded}</p>` : marketTable(language, markets)}
    <h2>${text.networks}</h2>
    ${networks.length === 0 ? `<p>${text.noNetworks}</p>` : `<div class="cards">${networks.map((network) => card(language, coin, network)).join('')}</div>`}`,
  });
}

function card(language: Language, { symbol }: Coin, network: Network): string {
  const text = TEXTS[language];
  const name = language === 'fa' ? network.NetworkNameFa : network.NetworkNameEn;
  const amount = (decimal: string) =>
    `<bdi dir="ltr">${escapeHtml(`${grouped(decimal, language)} ${symbol.toUpperCase()}`)}</bdi>`;
  const count = (digits: string) => `<bdi dir="ltr">${escapeHtml(grouped(digits, language))}</bdi>`;
  const facts: [string, string][] = [
    [text.deposit, text.statuses[network.depositStatus]],
    [text.minimumDeposit, amount(network.minimumDeposit)],
    [text.depositFee, amount(network.depositFee)],
    [text.confirmations, count(network.DepositConfirmationCount)],
    [text.withdrawal, text.statuses[network.withdrawStatus]],
    [text.minimumWithdraw, amount(network.minimumWithdraw)],
    [text.withdrawFee, amount(network.withdrawFee)],
    [text.precision, count(network.withdrawPrecision)],
    [text.memo, network.memoRequired ? `<strong>${text.memoNeeded}</strong>` : text.memoNotNeeded],
  ];
  if (network.contractAddress !== '') facts.push([text.contract, contractOf(network)]);
  const mark = network.isDefault ? ` <span class="state">${text.mainNetwork}</span>` : '';
  return `<article class="card"><h3><bdi>${escapeHtml(name)}</bdi> <bdi dir="ltr" class="symbol">${escapeHtml(network.NetworkSymbol)}</bdi>${mark}</h3>
      <dl class="terms">${facts.map(([term, fact]) => `<div><dt>${term}</dt><dd>${fact}</dd></div>`).join('')}</dl></article>`;
}

function contractOf({ contractAddress, contractAddressUrl }: Network): string {
  const address = `<code>${escapeHtml(contractAddress)}</code>`;
  if (!isWebAddress(contractAddressUrl)) return address;
  return `<a href="${escapeHtml(contractAddressUrl)}" rel="noopener nofollow">${address}</a>`;
}

/** Operators define it, and still no other scheme gets into a link. */
const isWebAddress = (address: string): boolean => {
  const url = URL.parse(address);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
};
