// The HTML of the page of reserves: it works without a script.
import { escapeHtml } from '../../platform/std/html.ts';
import type { Language } from '../../platform/std/language.ts';
import type { ReserveCoin, Reserves } from '../../trading/custody/reserves/shapes.ts';
import { grouped } from '../figures.ts';
import { framed } from '../markets/frame.ts';
import type { PageValues } from '../page.ts';
import { TEXTS } from './texts.ts';

export function renderReserves(
  values: PageValues,
  { language, reserves }: { readonly language: Language; readonly reserves: Reserves },
): string {
  const text = TEXTS[language];
  const isEmpty = reserves.coins.length === 0;
  return framed(values, {
    language,
    path: '/reserves',
    title: text.title,
    description: text.about(values.organization),
    main: `
    <h1 id="title">${text.title}</h1>
    <p>${text.intro}</p>
    ${isEmpty ? `<p>${text.none}</p>` : renderPublication(language, reserves)}
    <h2>${text.verify}</h2>
    <ol>${text.steps.map((step) => `<li dir="auto">${escapeHtml(step)}</li>`).join('')}</ol>
    <p class="hint">${text.limits}</p>`,
  });
}

function renderPublication(language: Language, { publishedAt, coins }: Reserves): string {
  const text = TEXTS[language];
  return `<p class="hint">${text.published}: ${timeOf(publishedAt)}</p>
    <div class="scroll" tabindex="0" role="region" aria-label="${text.title}"><table class="prices">
      <thead><tr><th scope="col">${text.coin}</th><th scope="col">${text.owes}</th><th scope="col">${text.holds}</th><th scope="col">${text.ratio}</th><th scope="col">${text.asOf}</th></tr></thead>
      <tbody>
      ${coins.map((coin) => row(language, coin)).join('\n      ')}
      </tbody>
    </table></div>
    <h2>${text.roots}</h2>
    <dl class="terms">${coins
      .map(
        ({ coin, root }) =>
          `<div><dt>${escapeHtml(text.rootOf(coin.toUpperCase()))}</dt><dd><code dir="ltr">${escapeHtml(root)}</code></dd></div>`,
      )
      .join('')}</dl>`;
}

function row(language: Language, coin: ReserveCoin): string {
  const text = TEXTS[language];
  const figure = (decimal: string) =>
    `<bdi dir="ltr">${escapeHtml(grouped(decimal, language))}</bdi>`;
  const blocks = coin.networks.map(({ network, height }) =>
    escapeHtml(text.block(network, grouped(height, language))),
  );
  return `<tr><th scope="row"><bdi dir="ltr">${escapeHtml(coin.coin.toUpperCase())}</bdi></th><td>${figure(coin.liabilities)}</td><td>${figure(coin.onChain)}</td><td>${figure(coin.ratio)}</td><td>${blocks.join('<br>')}</td></tr>`;
}

function timeOf(millis: string): string {
  const iso = new Date(Number(millis)).toISOString();
  return `<time datetime="${iso}" dir="ltr">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
