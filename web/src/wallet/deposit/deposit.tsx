// Brings coins in: the coin, its network, the address, and what came to it.
import { useState } from 'react';
import { isMoneySimulated } from '../../api/boot.ts';
import { FailureState } from '../../asked/failure.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { Banner } from '../../ui/banner.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { WalletLoading } from '../loading.tsx';
import { coinsOf, networkAt, type ChosenPlace } from '../places/place.ts';
import { firstPlace, PlacePicker } from '../places/picker.tsx';
import { useCoins } from '../places/use-coins.ts';
import { texts as walletTexts } from '../texts.ts';
import { DepositAddressCard } from './address.tsx';
import { Deposits } from './deposits.tsx';
import { texts } from './texts.ts';

export default function Deposit() {
  const t = useTexts(texts);
  const common = useTexts(walletTexts);
  const { asked, again } = useCoins();
  const [place, setPlace] = useState<ChosenPlace>();
  if (asked.state === 'asking') return <WalletLoading />;
  if (asked.state === 'failed') {
    return <FailureState what={common.notLoaded} error={asked.error} onRetry={again} />;
  }
  const coins = asked.value;
  if (coinsOf(coins, 'deposit').length === 0) {
    return <EmptyState icon="wallet">{t.nothing}</EmptyState>;
  }
  const chosen = place ?? firstPlace(coins, 'deposit');
  const network = networkAt(coins, 'deposit', chosen);
  return (
    <>
      <Section title={t.title} note={t.about}>
        <PlacePicker coins={coins} direction="deposit" chosen={chosen} onChoose={setPlace} />
        {isMoneySimulated() && <Banner>{t.simulated}</Banner>}
        {network !== undefined && !isMoneySimulated() && (
          <DepositAddressCard
            key={`${chosen.coin} ${chosen.network}`}
            coin={chosen.coin}
            network={network}
          />
        )}
      </Section>
      <Deposits coins={coins} />
    </>
  );
}
