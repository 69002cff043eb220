// What the account pays, by market.
import { decimal, type AccountFee } from '@rialto/sdk';
import { FailureState } from '../../asked/failure.tsx';
import { useAsked } from '../../asked/use-asked.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Amount } from '../../ui/amount.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { useVenue } from '../venue/react.ts';
import { nameOf, useMarkets } from './cells.tsx';
import { texts } from './texts.ts';

export function Fees({ symbol }: { readonly symbol: string | undefined }) {
  const t = useTexts(texts);
  const { trading } = useVenue();
  const markets = useMarkets();
  const { asked, again } = useAsked(`fees ${symbol ?? ''}`, (signal) =>
    trading.account.fees(symbol === undefined ? {} : { symbol }, { signal }),
  );
  if (asked.state === 'asking') {
    return (
      <SkeletonGroup>
        <Skeleton className="my-2 h-9 w-full" />
      </SkeletonGroup>
    );
  }
  if (asked.state === 'failed')
    return <FailureState what={t.notLoaded} error={asked.error} onRetry={again} />;
  const rate = (value: string) => <Amount value={decimal.multiply(value, '100')} unit="%" />;
  const columns: readonly Column<AccountFee>[] = [
    {
      id: 'market',
      title: t.market,
      isRowTitle: true,
      cell: (fee) => <bdi dir="ltr">{nameOf(fee.symbol, markets)}</bdi>,
    },
    { id: 'maker', title: t.maker, isNumber: true, cell: ({ makerFee }) => rate(makerFee) },
    { id: 'taker', title: t.taker, isNumber: true, cell: ({ takerFee }) => rate(takerFee) },
    { id: 'tier', title: t.tier, isNumber: true, cell: ({ tier }) => <Amount value={tier} /> },
  ];
  return <Table label={t.fees} columns={columns} rows={asked.value} keyOf={(fee) => fee.symbol} />;
}
