// How large the order is: amount and total, each following the other, and shares of what is available.
import { decimal } from '@rialto/sdk';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { Group } from 'react-aria-components/Group';
import { useLocale } from '../../i18n/locale.tsx';
import { percentSign, writeCount } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Amount } from '../../ui/amount.tsx';
import { useMarket } from '../venue/react.ts';
import { choosePercent } from './draft.ts';
import { NumberInput } from './number-input.tsx';
import { texts } from './texts.ts';
import type { FormState } from './use-form.ts';
import { writeMoney } from './words.ts';

const SHARES = ['25', '50', '75', '100'] as const;

export function SizeFields({
  state,
  isAttempted,
}: {
  readonly state: FormState;
  readonly isAttempted: boolean;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const market = useMarket();
  const { draft, reading, available } = state;
  const { shape, driver, amount, total, cost } = reading.sized;
  const given = draft.side === 'buy' ? 'quote' : 'base';
  const have = available[given];
  // A total that is no multiple of the lot's price leaves a little: what is really paid stands below it.
  const isUneven =
    driver === 'total' && !shape.isMarket && cost !== '' && !decimal.equals(cost, total);
  const effective = isUneven
    ? (draft.side === 'buy' ? t.effective : t.effectiveSell)({
        total: writeMoney(cost, 'quote', market, locale),
      })
    : undefined;
  const input = { state, isAttempted };
  return (
    <>
      {shape.sizes !== 'total' && (
        <NumberInput
          {...input}
          field="amount"
          unit={market.base.toUpperCase()}
          value={driver === 'amount' ? undefined : amount}
        />
      )}
      <div className="flex flex-col gap-1.5">
        <Group aria-label={t.shareOf} className="grid grid-cols-4 gap-1.5">
          {SHARES.map((share) => (
            <ToggleButton
              key={share}
              isSelected={draft.driver === 'percent' && draft.percent === share}
              onChange={() => state.change((now) => choosePercent(now, share))}
              isDisabled={have === undefined}
              className="figures h-control-small cursor-default rounded-control border border-edge text-small data-disabled:border-line data-disabled:text-muted data-hovered:bg-hover data-selected:border-accent data-selected:bg-selected data-selected:font-medium data-selected:text-accent"
            >
              {share === '100'
                ? t.max
                : `${writeCount(Number(share), locale)}${percentSign(locale)}`}
            </ToggleButton>
          ))}
        </Group>
        <p className="flex flex-wrap justify-between gap-x-2 text-small text-muted">
          <span>{t.available}</span>
          {have !== undefined && (
            <Amount
              value={have}
              decimals={Number(given === 'base' ? market.basePrecision : market.quotePrecision)}
              unit={market[given].toUpperCase()}
            />
          )}
        </p>
      </div>
      {shape.sizes !== 'amount' && (
        <NumberInput
          {...input}
          field="total"
          unit={market.quote.toUpperCase()}
          value={driver === 'total' ? undefined : total}
          description={effective}
        />
      )}
    </>
  );
}
