import type { AccountFee, AccountInfo, FeeTier } from '@rialto/sdk';
import { useLocale } from '../../i18n/locale.tsx';
import { writeCount, writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { Amount } from '../../ui/amount.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Table } from '../../ui/table.tsx';
import { percentOf, standingOf } from './tiers.ts';
import { texts } from './texts.ts';

interface Props {
  readonly info: AccountInfo;
  readonly fees: readonly AccountFee[];
  readonly tiers: readonly FeeTier[];
}

export function Fees({ info, fees, tiers }: Props) {
  const t = useTexts(texts);
  const locale = useLocale();
  const { tiers: sorted, next, missing } = standingOf(tiers, info.volume30d);
  const tierName = (tier: string) => writeCount(Number(tier), locale);
  // Where every market has the rates of the tier, a table of markets would say nothing new.
  const isUniform = fees.every(
    ({ makerFee, takerFee }) => makerFee === info.makerFee && takerFee === info.takerFee,
  );
  return (
    <Section title={t.fees} note={t.feesNote}>
      <p>
        {t.tierNow({ tier: tierName(info.feeTier) })} {t.volume}:{' '}
        <Amount value={info.volume30d} className="font-medium" />.{' '}
        {next === undefined
          ? t.top
          : t.missing({
              amount: `\u2066${writeDecimal(missing, locale)}\u2069`,
              tier: tierName(next.tier),
            })}
      </p>
      <Table
        label={t.tiers}
        rows={sorted}
        keyOf={({ tier }) => tier}
        columns={[
          {
            id: 'tier',
            title: t.tier,
            isRowTitle: true,
            cell: ({ tier }) => (
              <span className="flex items-center gap-2">
                {tierName(tier)}
                {tier === info.feeTier && <Badge tone="accent">{t.yours}</Badge>}
              </span>
            ),
          },
          {
            id: 'from',
            title: t.from,
            isNumber: true,
            cell: ({ minVolume30d }) => <Amount value={minVolume30d} />,
          },
          {
            id: 'maker',
            title: t.maker,
            isNumber: true,
            cell: (tier) => <Rate rate={tier.makerFee} />,
          },
          {
            id: 'taker',
            title: t.taker,
            isNumber: true,
            cell: (tier) => <Rate rate={tier.takerFee} />,
          },
        ]}
      />
      {!isUniform && (
        <Table
          label={t.markets}
          rows={fees}
          keyOf={({ symbol }) => symbol}
          columns={[
            {
              id: 'market',
              title: t.market,
              isRowTitle: true,
              cell: ({ symbol }) => symbol.toUpperCase(),
            },
            {
              id: 'maker',
              title: t.maker,
              isNumber: true,
              cell: (fee) => <Rate rate={fee.makerFee} />,
            },
            {
              id: 'taker',
              title: t.taker,
              isNumber: true,
              cell: (fee) => <Rate rate={fee.takerFee} />,
            },
          ]}
        />
      )}
    </Section>
  );
}

const Rate = ({ rate }: { readonly rate: string }) => <Amount value={percentOf(rate)} unit="%" />;
