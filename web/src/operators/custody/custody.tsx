// Coins of real networks as operators see them: networks, withdrawals that wait, payments, hot wallets, comparisons.
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Looked } from '../looked.tsx';
import { askAfterAct, useMay } from '../use-operator.ts';
import { useCustody } from './load.ts';
import { Networks } from './networks/networks.tsx';
import type { Said } from './part.ts';
import { Payments } from './payments/payments.tsx';
import { texts } from './texts.ts';
import { Reconciliation } from './wallets/reconciliation.tsx';
import { Tiers } from './wallets/tiers.tsx';
import { Withdrawals } from './withdrawals/withdrawals.tsx';

export default function CustodyPage() {
  const t = useTexts(texts);
  const mayAct = useMay()('treasury');
  const asking = useCustody();
  const [said, setSaid] = useState<Said>();
  const onDone = (next: Said) => {
    setSaid(next);
    askAfterAct(asking);
  };
  return (
    <>
      <p className="text-pretty text-muted">{t.about}</p>
      <Looked asking={asking}>
        {(custody, isRefreshing) => {
          const shared = { custody, mayAct, onDone };
          return (
            <>
              <div className="flex flex-wrap items-center justify-between gap-2">
                <p className="text-muted">{mayAct ? '' : t.noTreasury}</p>
                <Button size="small" icon="refresh" isPending={isRefreshing} onPress={asking.again}>
                  {t.again}
                </Button>
              </div>
              {said !== undefined && (
                <Banner
                  tone={said.isHalf === true ? 'warning' : 'success'}
                  onDismiss={() => setSaid(undefined)}
                >
                  {said.text}
                </Banner>
              )}
              {custody.networks.length === 0 ? (
                <EmptyState icon="wallet">{t.none}</EmptyState>
              ) : (
                <>
                  <Networks {...shared} />
                  <Withdrawals {...shared} />
                  <Payments {...shared} />
                  <Tiers tiers={custody.tiers} />
                  <Reconciliation {...shared} again={asking.again} />
                </>
              )}
            </>
          );
        }}
      </Looked>
    </>
  );
}
