// The public form of an auction: what it would trade if it ended now.
import { Type, type Static } from 'typebox';
import { formatAtLeast, formatFixed } from '../amount.ts';
import type { Indication } from '../books/replica.ts';
import { PHASES, referenceOf, type MarketDefinition } from '../markets/market.ts';
import { Choice, Count, Decimal, MaybeDecimal, MaybeMillis } from '../values.ts';

export const Auction = Type.Object(
  {
    symbol: Type.String({ description: 'Market symbol.', examples: ['btcusdt'] }),
    phase: Choice(
      PHASES,
      'Phase of the market. The figures below are empty unless it is `auction`.',
    ),
    until: MaybeMillis('When the auction ends by itself; empty if an operator ends it.'),
    indicativePrice: MaybeDecimal(
      'At which the visible book would trade now; empty if nothing meets.',
    ),
    indicativeVolume: MaybeDecimal('How much of the visible book would trade.'),
    imbalance: MaybeDecimal('What would be left over at that price.'),
    imbalanceSide: Choice(['buy', 'sell', ''], 'On which side; empty if nothing is left over.'),
    referencePrice: Decimal('Of several prices as good, the nearest to this one is taken.'),
    updateId: Count('Update id of the book that the figures are computed from.'),
  },
  { title: 'Auction' },
);
export type Auction = Static<typeof Auction>;

export function toAuction(market: MarketDefinition, found: Indication | undefined): Auction {
  const { symbol, phase, phaseUntilMs, quotePrecision, basePrecision } = market;
  const isOn = phase === 'auction';
  const volume = (lots: number) => (isOn ? formatFixed(BigInt(lots), basePrecision) : '');
  const at = found?.at;
  const left = at?.imbalanceLots ?? 0;
  return {
    symbol,
    phase,
    until: isOn && phaseUntilMs > 0 ? String(phaseUntilMs) : '',
    indicativePrice: at && isOn ? formatFixed(BigInt(at.priceTicks), quotePrecision) : '',
    indicativeVolume: volume(at?.lots ?? 0),
    imbalance: volume(Math.abs(left)),
    imbalanceSide: !isOn || left === 0 ? '' : left > 0 ? 'buy' : 'sell',
    referencePrice: formatAtLeast(referenceOf(market), quotePrecision),
    updateId: String(found?.updateId ?? 0),
  };
}
