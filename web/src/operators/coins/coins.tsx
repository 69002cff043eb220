// Coins as operators see them: their networks, and whether money moves over them.
import type { Coin, Network } from '@rialto/sdk';
import { lazy, Suspense, useState } from 'react';
import type { Requested } from '../../api/administration.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Amount } from '../../ui/amount.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table } from '../../ui/table.tsx';
import { Looked } from '../looked.tsx';
import { Outcome } from '../outcome.tsx';
import { askAfterAct, useCoins, useMay } from '../use-operator.ts';
import { texts } from './texts.ts';

const CoinDialog = lazy(() =>
  import('./coin-dialog.tsx').then((file) => ({ default: file.CoinDialog })),
);
const StatusDialog = lazy(() =>
  import('./status-dialog.tsx').then((file) => ({ default: file.StatusDialog })),
);

interface Row {
  readonly coin: Coin;
  /** Undefined for a coin that is on no network. */
  readonly network: Network | undefined;
  readonly isFirst: boolean;
}

type Doing =
  | { readonly act: 'coin'; readonly coin: Coin | undefined }
  | { readonly act: 'status'; readonly coin: Coin; readonly network: Network };

const rowsOf = (coins: readonly Coin[]): readonly Row[] =>
  coins.flatMap((coin): readonly Row[] => {
    const networks = Object.values(coin.networks);
    return networks.length === 0
      ? [{ coin, network: undefined, isFirst: true }]
      : networks.map((network, index) => ({ coin, network, isFirst: index === 0 }));
  });

export default function CoinsPage() {
  const t = useTexts(texts);
  const may = useMay()('markets');
  const asking = useCoins();
  const [doing, setDoing] = useState<Doing>();
  const [done, setDone] = useState<{ what: string; result: Requested }>();
  const shared = {
    onDone: (what: string, result: Requested) => {
      setDone({ what, result });
      setDoing(undefined);
      askAfterAct(asking);
    },
    onClose: () => setDoing(undefined),
  };
  const begin = (next: Doing) => {
    setDone(undefined);
    setDoing(next);
  };
  const taken =
    asking.asked.state === 'known' ? asking.asked.value.map(({ symbol }) => symbol) : [];
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-80 text-pretty text-muted">
          {may ? t.about : t.nothing}
        </p>
        {may && (
          <Button icon="add" onPress={() => begin({ act: 'coin', coin: undefined })}>
            {t.add}
          </Button>
        )}
      </div>
      {done !== undefined && <Outcome {...done} onDismiss={() => setDone(undefined)} />}
      <Looked asking={asking}>
        {(coins) => <CoinTable rows={rowsOf(coins)} mayAct={may} onAct={begin} />}
      </Looked>
      {doing !== undefined && (
        <Suspense>
          {doing.act === 'coin' ? (
            <CoinDialog coin={doing.coin} taken={taken} {...shared} />
          ) : (
            <StatusDialog coin={doing.coin} network={doing.network} {...shared} />
          )}
        </Suspense>
      )}
    </>
  );
}

const TONES: Readonly<Record<Network['depositStatus'], Tone>> = {
  active: 'success',
  paused: 'warning',
  disabled: 'neutral',
};

function CoinTable({
  rows,
  mayAct,
  onAct,
}: {
  readonly rows: readonly Row[];
  readonly mayAct: boolean;
  readonly onAct: (doing: Doing) => void;
}) {
  const t = useTexts(texts);
  const { language } = useLocale();
  const status = (id: 'depositStatus' | 'withdrawStatus', title: string) => ({
    id,
    title,
    cell: ({ network }: Row) =>
      network && <Badge tone={TONES[network[id]]}>{t[network[id]]}</Badge>,
  });
  const amount = (id: 'withdrawFee' | 'minimumWithdraw', title: string) => ({
    id,
    title,
    isNumber: true,
    cell: ({ coin, network }: Row) =>
      network && <Amount value={network[id]} unit={coin.symbol.toUpperCase()} />,
  });
  return (
    <Table
      label={t.table}
      rows={rows}
      keyOf={({ coin, network }) => `${coin.symbol} ${network?.NetworkSymbol ?? ''}`}
      empty={<EmptyState icon="wallet">{t.none}</EmptyState>}
      columns={[
        {
          id: 'coin',
          title: t.coin,
          isRowTitle: true,
          cell: ({ coin, isFirst }) => (
            <span className={isFirst ? 'font-medium' : 'text-muted'}>
              {coin.symbol.toUpperCase()}
            </span>
          ),
        },
        {
          id: 'network',
          title: t.network,
          cell: ({ network }) =>
            network === undefined ? (
              <span className="text-muted">{t.noNetwork}</span>
            ) : (
              <span className="flex items-center gap-2">
                <bdi dir="ltr">{network.NetworkSymbol}</bdi>
                <bdi className="text-muted">
                  {language === 'fa' ? network.NetworkNameFa : network.NetworkNameEn}
                </bdi>
              </span>
            ),
        },
        status('depositStatus', t.deposits),
        status('withdrawStatus', t.withdrawals),
        ...(mayAct
          ? [
              {
                id: 'acts',
                title: t.acts,
                cell: (row: Row) => <Acts row={row} onAct={onAct} />,
              },
            ]
          : []),
        amount('minimumWithdraw', t.minimum),
        amount('withdrawFee', t.fee),
      ]}
    />
  );
}

function Acts({
  row: { coin, network, isFirst },
  onAct,
}: {
  readonly row: Row;
  readonly onAct: (doing: Doing) => void;
}) {
  const t = useTexts(texts);
  const name = coin.symbol.toUpperCase();
  return (
    <span className="flex items-center gap-1 py-1">
      {network !== undefined && (
        <Button
          size="small"
          aria-label={t.setStatusOf({ coin: name, network: network.NetworkSymbol })}
          onPress={() => onAct({ act: 'status', coin, network })}
        >
          {t.setStatus}
        </Button>
      )}
      {isFirst && (
        <Button
          size="small"
          icon="edit"
          aria-label={t.changeOf({ coin: name })}
          onPress={() => onAct({ act: 'coin', coin })}
        >
          {t.change}
        </Button>
      )}
    </span>
  );
}
