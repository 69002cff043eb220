// Takes coins out: a form, and what became of earlier withdrawals.
import type { Balance, Coin, Trading } from '@rialto/sdk';
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
import { texts as walletTexts } from '../texts.ts';
import { useRefresh } from '../use-refresh.ts';
import { useTrading } from '../use-trading.ts';
import { WithdrawForm } from './form.tsx';
import { isUnderWay } from './status.ts';
import { Withdrawals } from './withdrawals.tsx';
import { texts } from './texts.ts';

const SHOWN = 50;

interface Loaded {
  readonly coins: readonly Coin[];
  readonly balances: readonly Balance[];
}

async function load(trading: Trading, signal: AbortSignal): Promise<Loaded> {
  const [coins, balances] = await Promise.all([
    trading.public.coinsInfo({}, { signal }),
    trading.account.balances({}, { signal }),
  ]);
  return { coins, balances };
}

export default function Withdraw() {
  const t = useTexts(texts);
  const common = useTexts(walletTexts);
  const trading = useTrading();
  const terms = useAsked('wallet withdraw', (signal) => load(trading(), signal));
  const book = useBook();
  const past = useAsked('wallet withdrawals', async (signal) => {
    const { items } = await trading().wallet.withdrawals({ limit: SHOWN }, { signal });
    return items;
  });
  useRefresh(past.again, past.asked.state === 'known' && past.asked.value.some(isUnderWay));
  if (terms.asked.state === 'asking' || book.asked.state === 'asking') return <WalletLoading />;
  if (terms.asked.state === 'failed') {
    return <FailureState what={common.notLoaded} error={terms.asked.error} onRetry={terms.again} />;
  }
  if (book.asked.state === 'failed') {
    return <FailureState what={common.notLoaded} error={book.asked.error} onRetry={book.again} />;
  }
  const { coins, balances } = terms.asked.value;
  if (coinsOf(coins, 'withdraw').length === 0) {
    return <EmptyState icon="wallet">{t.nothing}</EmptyState>;
  }
  const changed = () => {
    past.again();
    terms.again();
  };
  return (
    <>
      <Section title={t.title} note={t.about}>
        {isMoneySimulated() ? (
          <Banner>{t.simulated}</Banner>
        ) : (
          <WithdrawForm
            coins={coins}
            balances={balances}
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
