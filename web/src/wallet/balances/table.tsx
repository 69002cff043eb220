import type { ReactNode } from 'react';
import { decimal } from '@rialto/sdk';
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Table, type Column } from '../../ui/table.tsx';
import { OwnAmount } from '../hidden.tsx';
import { columnDecimals, type BalanceRow } from './derive.ts';
import { texts } from './texts.ts';
import { decimalsOf, type Pair } from './value.ts';

interface Props {
  readonly rows: readonly BalanceRow[];
  readonly quote: string;
  readonly quoteDecimals: number;
  readonly pairs: readonly Pair[];
  readonly empty: ReactNode;
}

export function BalanceTable({ rows, quote, quoteDecimals, pairs, empty }: Props) {
  const t = useTexts(texts);
  const amounts = (['total', 'available', 'hold'] as const).map((column): Column<BalanceRow> => ({
    id: column,
    title: t[column],
    isNumber: true,
    cell: ({ balance }) => (
      <OwnAmount value={balance[column]} decimals={columnDecimals(rows, column)} />
    ),
  }));
  const [total, ...others] = amounts;
  return (
    <Table
      label={t.table}
      rows={rows}
      keyOf={({ balance }) => balance.coin}
      empty={empty}
      columns={[
        { id: 'coin', title: t.coin, isRowTitle: true, cell: (row) => <CoinCell row={row} /> },
        ...(total === undefined ? [] : [total]),
        {
          id: 'value',
          title: t.value({ coin: quote.toUpperCase() }),
          isNumber: true,
          cell: (row) => <Value row={row} decimals={quoteDecimals} />,
        },
        ...others,
        {
          id: 'links',
          title: t.links,
          cell: ({ balance }) => <Links coin={balance.coin} quote={quote} pairs={pairs} />,
        },
      ]}
    />
  );
}

function CoinCell({ row: { balance, name } }: { readonly row: BalanceRow }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const isLeaving = !decimal.isZero(balance.pendingWithdraw);
  return (
    <span className="flex flex-col py-1.5">
      <span className="font-medium">{balance.coin.toUpperCase()}</span>
      {name !== undefined && (
        <bdi className="text-small text-muted">
          {locale.language === 'fa' ? name.nameFa : name.nameEn}
        </bdi>
      )}
      {isLeaving && (
        <span className="text-small text-muted">
          {t.leaving({ amount: writeDecimal(balance.pendingWithdraw, locale) })}
        </span>
      )}
    </span>
  );
}

/** Longer rates are of no use to a reader; the exact one is the market's. */
const PRICE_DECIMALS_MAX = 8;

function Value({
  row: { worth },
  decimals: shown,
}: {
  readonly row: BalanceRow;
  readonly decimals: number;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  if (worth === undefined) return <span className="text-muted">{t.noPrice}</span>;
  const { price, via } = worth.price;
  const decimals = Math.min(decimalsOf(price), PRICE_DECIMALS_MAX);
  return (
    <span className="flex flex-col py-1.5">
      <OwnAmount value={worth.value} decimals={shown} />
      {via.length > 0 && (
        <span className="text-small text-muted">
          {t.at({
            price: `\u2066${writeDecimal(price, locale, { decimals })}\u2069`,
            markets: `\u2066${via.map((one) => one.toUpperCase()).join(' × ')}\u2069`,
          })}
        </span>
      )}
    </span>
  );
}

/** To the market with the quote that is looked at, else to any that has the coin. */
function Links({ coin, quote, pairs }: Pick<Props, 'quote' | 'pairs'> & { readonly coin: string }) {
  const t = useTexts(texts);
  const own = pairs.filter(({ base, quote: priced }) => base === coin || priced === coin);
  const market = own.find((pair) => pair.base === quote || pair.quote === quote) ?? own[0];
  const look = 'rounded-small text-accent underline-offset-2 hover:underline';
  return (
    <span className="flex gap-3">
      {market !== undefined && (
        <a href={`/trade/${market.symbol}`} className={look}>
          {t.trade({ market: `${market.base.toUpperCase()}/${market.quote.toUpperCase()}` })}
        </a>
      )}
      <a href={`/coins/${coin}`} className={look}>
        {t.about({ coin: coin.toUpperCase() })}
      </a>
    </span>
  );
}
