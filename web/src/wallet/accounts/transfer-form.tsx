// Money between two accounts of the family: typed, looked at once more, then moved once.
import { decimal, type Balance, type SubAccount } from '@rialto/sdk';
import { lazy, Suspense, useState } from 'react';
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { useAct } from '../../settings/use-act.ts';
import { Button } from '../../ui/button.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { Select } from '../../ui/select.tsx';
import { newId } from '../new-id.ts';
import { texts as walletTexts } from '../texts.ts';
import { useTrading } from '../use-trading.ts';
import { texts } from './texts.ts';

const ConfirmDialog = lazy(() =>
  import('../../ui/confirm-dialog.tsx').then((file) => ({ default: file.ConfirmDialog })),
);

interface Props {
  readonly mainId: string;
  readonly subs: readonly SubAccount[];
  /** Of the main account. Those of sub-accounts are theirs to ask for, with a key. */
  readonly balances: readonly Balance[];
  readonly nameOf: (id: string) => string;
  readonly onMoved: () => void;
}

export function TransferForm({ mainId, subs, balances, nameOf, onMoved }: Props) {
  const t = useTexts(texts);
  const common = useTexts(walletTexts);
  const locale = useLocale();
  const trading = useTrading();
  const act = useAct();
  const [from, setFrom] = useState(mainId);
  const [to, setTo] = useState(subs[0]?.accountId ?? mainId);
  const [coin, setCoin] = useState(
    () => (balances.find(({ available }) => !decimal.isZero(available)) ?? balances[0])?.coin ?? '',
  );
  const [amount, setAmount] = useState('');
  const [isReviewing, setReviewing] = useState(false);
  // The same id until the money has moved: after a lost answer, a second try moves nothing twice.
  const [transferId, setTransferId] = useState(newId);
  if (balances.length === 0) return null;
  const available = balances.find((one) => one.coin === coin)?.available ?? '0';
  const write = (value: string) =>
    `\u2066${writeDecimal(value, locale)} ${coin.toUpperCase()}\u2069`;
  const isMain = from === mainId;
  const isTooMuch = isMain && amount !== '' && decimal.compare(amount, available) > 0;
  const isSame = from === to;
  const isReady = amount !== '' && !decimal.isZero(amount) && !isTooMuch && !isSame;
  const accounts = [mainId, ...subs.map(({ accountId }) => accountId)].map((value) => ({
    value,
    label: nameOf(value),
  }));
  const move = () =>
    void act
      .run(
        (code) =>
          trading(code).subAccount.transfer({
            fromAccountId: from,
            toAccountId: to,
            coin,
            amount,
            clientTransferId: transferId,
          }),
        t.moved({ amount: write(amount) }),
      )
      .then((isDone) => {
        setReviewing(false);
        if (!isDone) return;
        setAmount('');
        setTransferId(newId());
        onMoved();
      });
  return (
    <Section title={t.transfer} note={t.transferAbout}>
      <div className="grid gap-4 tablet:grid-cols-2">
        <Select label={t.from} value={from} onChange={setFrom} choices={accounts} />
        <Select
          label={t.to}
          value={to}
          onChange={setTo}
          choices={accounts}
          error={isSame ? t.same : undefined}
        />
        <Select
          label={common.coin}
          value={coin}
          onChange={setCoin}
          choices={balances.map((one) => ({ value: one.coin, label: one.coin.toUpperCase() }))}
        />
        <NumberField
          label={t.amount}
          value={amount}
          onChange={setAmount}
          unit={coin.toUpperCase()}
          description={isMain ? t.availableIs({ amount: write(available) }) : undefined}
          error={isTooMuch ? t.tooMuch({ amount: write(available) }) : undefined}
          end={
            isMain ? (
              <Button
                size="small"
                variant="quiet"
                className="me-1"
                // The exact text: nothing is rounded on the way.
                onPress={() => setAmount(available)}
              >
                {t.max}
              </Button>
            ) : undefined
          }
        />
      </div>
      <Button
        variant="primary"
        className="self-start"
        isDisabled={!isReady}
        onPress={() => setReviewing(true)}
      >
        {t.review}
      </Button>
      {isReviewing && (
        <Suspense>
          <ConfirmDialog
            isOpen
            onOpenChange={setReviewing}
            title={t.reviewTitle}
            act={t.act({ amount: write(amount) })}
            variant="primary"
            isPending={act.isPending}
            onConfirm={move}
          >
            {t.reviewWhat({ amount: write(amount), from: nameOf(from), to: nameOf(to) })}
          </ConfirmDialog>
        </Suspense>
      )}
    </Section>
  );
}
