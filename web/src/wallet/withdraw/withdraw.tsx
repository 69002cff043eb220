// Takes coins out: a form, and what became of earlier withdrawals.
import { isMoneySimulated } from '../../api/boot.ts';
import { FailureState } from '../../asked/failure.tsx';
import { useAsked } from '../../asked/use-asked.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { Banner } from '../../ui/banner.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useBook } from '../book/use-book.ts';
import { WalletLoading } from '../loading.tsx';
import { coinsOf } from '../places/place.ts';
import { useCoins } from '../places/use-coins.ts';
import { texts as walletTexts } from '../texts.ts';
import { useFollow } from '../use-follow.ts';
import { useTrading } from '../use-trading.ts';
import { WithdrawForm } from './form.tsx';
import { Withdrawals } from './withdrawals.tsx';
import { texts } from './texts.ts';

const SHOWN = 50;

export default function Withdraw() {
  const t = useTexts(texts);
  const common = useTexts(walletTexts);
  const trading = useTrading();
  const coinsAsked = useCoins();
  const funds = useAsked('wallet funds', (signal) => trading().account.balances({}, { signal }));
  const book = useBook();
  const past = useAsked('wallet withdrawals', async (signal) => {
    const { items } = await trading().wallet.withdrawals({ limit: SHOWN }, { signal });
    return items;
  });
  const changed = () => {
    past.again();
    funds.again();
  };
  useFollow('withdrawal', changed);
  for (const { asked, again } of [coinsAsked, funds, book]) {
    if (asked.state === 'failed') {
      return <FailureState what={common.notLoaded} error={asked.error} onRetry={again} />;
    }
  }
  if (
    coinsAsked.asked.state !== 'known' ||
    funds.asked.state !== 'known' ||
    book.asked.state !== 'known'
  ) {
    return <WalletLoading />;
  }
  const coins = coinsAsked.asked.value;
  if (coinsOf(coins, 'withdraw').length === 0) {
    return <EmptyState icon="wallet">{t.nothing}</EmptyState>;
  }
  return (
    <>
      <Section title={t.title} note={t.about}>
        {isMoneySimulated() ? (
          <Banner>{t.simulated}</Banner>
        ) : (
          <WithdrawForm
            coins={coins}
            balances={funds.asked.value}
            book={book.asked.value}
            onDone={changed}
          />
        )}
      </Section>
      {past.asked.state === 'failed' ? (
        <FailureState what={t.historyFailed} error={past.asked.error} onRetry={past.again} />
      ) : past.asked.state === 'asking' ? (
        <WalletLoading />
      ) : (
        <Withdrawals coins={coins} withdrawals={past.asked.value} onChanged={changed} />
      )}
    </>
  );
}
