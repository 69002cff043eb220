// One deposit address: with its code, its memo, and everything that must be known before coins are sent.
import type { DepositAddress, Network } from '@rialto/sdk';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { FailureState } from '../../asked/failure.tsx';
import { useAsked } from '../../asked/use-asked.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useAct } from '../../settings/use-act.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { WalletLoading } from '../loading.tsx';
import { networkName } from '../places/place.ts';
import { useTrading } from '../use-trading.ts';
import { texts } from './texts.ts';

const QrCode = lazy(() => import('./qr.tsx'));

export function DepositAddressCard({
  coin,
  network,
}: {
  readonly coin: string;
  readonly network: Network;
}) {
  const t = useTexts(texts);
  const trading = useTrading();
  const act = useAct();
  const { language } = useLocale();
  const place = { coin, network: network.NetworkSymbol };
  const { asked, again, set } = useAsked(
    `deposit address ${coin} ${network.NetworkSymbol}`,
    (signal) => trading().wallet.depositAddress(place, { signal }),
  );
  const [isUnderstood, setUnderstood] = useState(false);
  if (asked.state === 'asking') return <WalletLoading />;
  if (asked.state === 'failed') {
    return <FailureState what={t.notLoaded} error={asked.error} onRetry={again} />;
  }
  const { value: shown } = asked;
  if (shown.memoRequired && !isUnderstood) {
    return (
      <Banner
        tone="warning"
        action={
          <Button size="small" onPress={() => setUnderstood(true)}>
            {t.memoUnderstood}
          </Button>
        }
      >
        <p className="font-medium">{t.memoNeeded}</p>
        <p>{t.memoWhy}</p>
      </Banner>
    );
  }
  const another = () =>
    void act.run(async (code) => {
      const fresh = await trading(code).wallet.createDepositAddress(place);
      set(() => fresh);
    }, t.anotherDone);
  return (
    <div className="flex flex-col gap-4">
      {!shown.isActive && <Banner tone="warning">{t.paused}</Banner>}
      <div className="flex flex-wrap items-start gap-5">
        <Suspense fallback={<div className="size-44" />}>
          <QrCode text={shown.address} label={t.qr({ coin: coin.toUpperCase() })} />
        </Suspense>
        <div className="flex min-w-0 flex-1 basis-72 flex-col gap-3">
          <Line name={t.address} value={shown.address} copy={t.copyAddress} />
          {shown.memo !== '' && <Line name={t.memo} value={shown.memo} copy={t.copyMemo} />}
          <p className="font-medium text-pretty">
            {t.only({ coin: coin.toUpperCase(), network: networkName(network, language) })}
          </p>
          <Terms shown={shown} fee={network.depositFee} />
          <Button className="self-start" isPending={act.isPending} onPress={another}>
            {t.another}
          </Button>
        </div>
      </div>
    </div>
  );
}

function Line(props: { readonly name: string; readonly value: string; readonly copy: string }) {
  const { name, value, copy } = props;
  return (
    <div className="flex flex-col gap-1">
      <span className="text-small text-muted">{name}</span>
      <span className="flex items-center gap-2 rounded-control border border-line bg-page py-1 ps-3 pe-1">
        <code dir="ltr" className="min-w-0 flex-1 text-start break-all select-all">
          {value}
        </code>
        <CopyButton text={value} label={copy} />
      </span>
    </div>
  );
}

function Terms({ shown, fee }: { readonly shown: DepositAddress; readonly fee: string }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const write = (value: string) =>
    `\u2066${writeDecimal(value, locale)} ${shown.coin.toUpperCase()}\u2069`;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      <Term name={t.minimum}>
        {write(shown.minimumDeposit)}
        <span className="block text-small text-muted">{t.minimumWhy}</span>
      </Term>
      <Term name={t.fee}>{write(fee)}</Term>
      <Term name={t.confirmations}>{writeDecimal(shown.depositConfirmationCount, locale)}</Term>
    </dl>
  );
}

function Term({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
