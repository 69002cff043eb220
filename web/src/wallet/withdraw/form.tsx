// The form of a withdrawal: where, how much, what it costs, a look at all of it, and the second factor.
import { decimal, type AddressBookEntry, type Balance, type Coin } from '@rialto/sdk';
import { useState } from 'react';
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useAct } from '../../settings/use-act.ts';
import { Button } from '../../ui/button.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { isAddressOf, isMemoOf, networkAt, type ChosenPlace } from '../places/place.ts';
import { firstPlace, PlacePicker } from '../places/picker.tsx';
import { newId } from '../new-id.ts';
import { useTrading } from '../use-trading.ts';
import { ANOTHER, Destination, type ChosenDestination } from './destination.tsx';
import { Quote } from './quote.tsx';
import { Review } from './review.tsx';
import { texts } from './texts.ts';
import { useQuote } from './use-quote.ts';

const NOWHERE: ChosenDestination = { addressId: '', address: '', memo: '' };

export function WithdrawForm({
  coins,
  balances,
  book,
  onDone,
}: {
  readonly coins: readonly Coin[];
  readonly balances: readonly Balance[];
  readonly book: readonly AddressBookEntry[];
  readonly onDone: () => void;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const trading = useTrading();
  const act = useAct();
  const [place, setPlace] = useState<ChosenPlace>(() => firstPlace(coins, 'withdraw'));
  const [to, setTo] = useState(NOWHERE);
  const [amount, setAmount] = useState('');
  const [isReviewing, setReviewing] = useState(false);
  // The same id until it is done: after a lost answer, a second try withdraws nothing twice.
  const [clientWithdrawId, setId] = useState(newId);
  const network = networkAt(coins, 'withdraw', place);
  const entries = book.filter((one) => one.coin === place.coin && one.network === place.network);
  const entry = entries.find(({ addressId }) => addressId === to.addressId);
  const available = balances.find((one) => one.coin === place.coin)?.available ?? '0';
  const unit = place.coin.toUpperCase();
  const write = (value: string) => `\u2066${writeDecimal(value, locale)} ${unit}\u2069`;
  const decimals = Number(network?.withdrawPrecision ?? 0);
  const isTooMuch = amount !== '' && decimal.compare(amount, available) > 0;
  const isTooFine = amount !== '' && (amount.split('.')[1]?.length ?? 0) > decimals;
  const isAmount = amount !== '' && !decimal.isZero(amount) && !isTooMuch && !isTooFine;
  const isTyped = to.addressId === ANOTHER;
  const isPlaced =
    network !== undefined &&
    (isTyped
      ? isAddressOf(network, to.address.trim()) === true &&
        isMemoOf(network, to.memo.trim()) === true
      : entry !== undefined);
  const quote = useQuote(
    isAmount && isPlaced
      ? { ...place, amount, ...(entry !== undefined && { addressId: entry.addressId }) }
      : undefined,
  );
  const isAllowed =
    quote.state === 'known' && quote.value.checks.every(({ ok }) => ok) && isAmount && isPlaced;
  const address = entry?.address ?? to.address.trim();
  const withdraw = () =>
    void act
      .run(async (code) => {
        const { withdrawId } = await trading().wallet.withdraw({
          ...place,
          amount,
          clientWithdrawId,
          ...(entry === undefined
            ? { address, ...(to.memo.trim() !== '' && { memo: to.memo.trim() }) }
            : { addressId: entry.addressId }),
        });
        await trading(code).wallet.withdrawConfirm({ withdrawId });
      }, t.done)
      .then((isDone) => {
        setReviewing(false);
        // Also when it was not confirmed: it waits in the list below.
        onDone();
        if (!isDone) return;
        setAmount('');
        setId(newId());
      });
  return (
    <div className="flex flex-col gap-4">
      <PlacePicker
        coins={coins}
        direction="withdraw"
        chosen={place}
        onChoose={(chosen) => {
          setPlace(chosen);
          setTo(NOWHERE);
          setAmount('');
        }}
      />
      {network !== undefined && (
        <>
          <Destination network={network} entries={entries} to={to} onChange={setTo} />
          <NumberField
            label={t.amount}
            value={amount}
            onChange={setAmount}
            unit={unit}
            className="max-w-80"
            description={t.available({ amount: write(available) })}
            error={
              isTooMuch
                ? t.tooMuch({ amount: write(available) })
                : isTooFine
                  ? t.tooFine({ decimals: writeDecimal(String(decimals), locale) })
                  : undefined
            }
            end={
              <Button
                size="small"
                variant="quiet"
                className="me-1"
                onPress={() => setAmount(cut(available, decimals))}
              >
                {t.max}
              </Button>
            }
          />
          <Quote quote={quote} write={write} />
          <Button
            variant="primary"
            className="self-start"
            isDisabled={!isAllowed}
            onPress={() => setReviewing(true)}
          >
            {t.review}
          </Button>
        </>
      )}
      {isReviewing && quote.state === 'known' && (
        <Review
          quote={quote.value}
          address={address}
          memo={entry?.memo ?? to.memo.trim()}
          write={write}
          isPending={act.isPending}
          onConfirm={withdraw}
          onClose={() => setReviewing(false)}
        />
      )}
    </div>
  );
}

/** Down, never up: what is over stays in the account. */
function cut(value: string, decimals: number): string {
  const [whole = '0', fraction = ''] = value.split('.');
  const kept = fraction.slice(0, decimals).replace(/0+$/u, '');
  return kept === '' ? whole : `${whole}.${kept}`;
}
