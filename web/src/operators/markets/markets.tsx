// Markets as operators see them: phases, halting and opening, terms.
import type { MarketDetail } from '@rialto/sdk';
import { lazy, Suspense, useState } from 'react';
import type { Requested } from '../../api/administration.ts';
import { tradingWith } from '../../api/trading.ts';
import { useAsked } from '../../asked/use-asked.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Amount } from '../../ui/amount.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { Table } from '../../ui/table.tsx';
import { Looked } from '../looked.tsx';
import { Outcome } from '../outcome.tsx';
import { texts as common } from '../texts.ts';
import { askAfterAct, useMay } from '../use-operator.ts';
import { nameOf } from './name.ts';
import { texts } from './texts.ts';

const PhaseDialog = lazy(() =>
  import('./phase-dialog.tsx').then((file) => ({ default: file.PhaseDialog })),
);
const CancelDialog = lazy(() =>
  import('./cancel-dialog.tsx').then((file) => ({ default: file.CancelDialog })),
);
const TermsDialog = lazy(() =>
  import('./terms-dialog.tsx').then((file) => ({ default: file.TermsDialog })),
);

const TONES: Readonly<Record<MarketDetail['phase'], Tone>> = {
  pre_open: 'neutral',
  auction: 'accent',
  post_only: 'accent',
  continuous: 'success',
  cancel_only: 'warning',
  halted: 'danger',
  delisted: 'neutral',
};

const CreateDialog = lazy(() =>
  import('./create-dialog.tsx').then((file) => ({ default: file.CreateDialog })),
);

interface Doing {
  readonly act: 'halt' | 'change' | 'cancelOrders' | 'terms';
  readonly market: MarketDetail;
}

export default function MarketsPage() {
  const t = useTexts(texts);
  const may = useMay()('markets');
  const store = useStore();
  const { origin } = store.client.chat;
  // Events tell a new phase at once; the list of markets follows a little later.
  const phases = useSelect(store, ({ venue }) => venue.phases);
  const asking = useAsked('operator markets', (signal) =>
    tradingWith(origin, undefined).public.markets({}, { signal }),
  );
  const [doing, setDoing] = useState<Doing | 'list'>();
  const [done, setDone] = useState<{ what: string; result: Requested }>();
  const finish = (what: string, result: Requested) => {
    setDone({ what, result });
    setDoing(undefined);
    askAfterAct(asking);
  };
  const begin = (next: Doing | 'list') => {
    setDone(undefined);
    setDoing(next);
  };
  const close = () => setDoing(undefined);
  const taken =
    asking.asked.state === 'known' ? asking.asked.value.map(({ symbol }) => symbol) : [];
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-80 text-pretty text-muted">
          {may ? t.about : t.nothing}
        </p>
        {may && (
          <Button icon="add" onPress={() => begin('list')}>
            {t.list}
          </Button>
        )}
      </div>
      {done !== undefined && <Outcome {...done} onDismiss={() => setDone(undefined)} />}
      <Looked asking={asking}>
        {(markets) => (
          <MarketTable
            markets={markets.map((market) => withPhase(market, phases.get(market.symbol)))}
            mayAct={may}
            onAct={(act, market) => begin({ act, market })}
          />
        )}
      </Looked>
      {doing !== undefined && (
        <Suspense>
          {doing === 'list' ? (
            <CreateDialog taken={taken} onDone={finish} onClose={close} />
          ) : doing.act === 'terms' ? (
            <TermsDialog market={doing.market} onDone={finish} onClose={close} />
          ) : doing.act === 'cancelOrders' ? (
            <CancelDialog market={doing.market} onDone={finish} onClose={close} />
          ) : (
            <PhaseDialog
              market={doing.market}
              start={doing.act === 'halt' ? 'halted' : undefined}
              onDone={finish}
              onClose={close}
            />
          )}
        </Suspense>
      )}
    </>
  );
}

const PHASES = Object.keys(TONES) as MarketDetail['phase'][];

function withPhase(market: MarketDetail, told: string | undefined): MarketDetail {
  const phase = PHASES.find((one) => one === told);
  return phase === undefined ? market : { ...market, phase };
}

function MarketTable({
  markets,
  mayAct,
  onAct,
}: {
  readonly markets: readonly MarketDetail[];
  readonly mayAct: boolean;
  readonly onAct: (act: Doing['act'], market: MarketDetail) => void;
}) {
  const t = useTexts(texts);
  const phases = useTexts(common);
  return (
    <Table
      label={t.table}
      rows={markets}
      keyOf={({ symbol }) => symbol}
      empty={<EmptyState icon="chart">{t.none}</EmptyState>}
      columns={[
        {
          id: 'market',
          title: t.market,
          isRowTitle: true,
          cell: (market) => <span className="font-medium">{nameOf(market)}</span>,
        },
        {
          id: 'phase',
          title: t.phase,
          cell: ({ phase }) => <Badge tone={TONES[phase]}>{phases[phase]}</Badge>,
        },
        ...(mayAct
          ? [
              {
                id: 'acts',
                title: t.acts,
                cell: (market: MarketDetail) => <Acts market={market} onAct={onAct} />,
              },
            ]
          : []),
        {
          id: 'reference',
          title: t.reference,
          isNumber: true,
          cell: ({ referencePrice, quote, quotePrecision }) => (
            <Amount
              value={referencePrice}
              unit={quote.toUpperCase()}
              decimals={Number(quotePrecision)}
            />
          ),
        },
        {
          id: 'band',
          title: t.band,
          isNumber: true,
          cell: ({ priceBandPercent }) => <Amount value={priceBandPercent} unit="%" />,
        },
      ]}
    />
  );
}

function Acts({
  market,
  onAct,
}: {
  readonly market: MarketDetail;
  readonly onAct: (act: Doing['act'], market: MarketDetail) => void;
}) {
  const t = useTexts(texts);
  const name = nameOf(market);
  if (market.phase === 'delisted') return null;
  const isTrading = market.phase !== 'halted' && market.phase !== 'pre_open';
  return (
    <span className="flex items-center gap-1 py-1">
      {isTrading && (
        <Button
          size="small"
          icon="halted"
          aria-label={t.haltOf({ market: name })}
          onPress={() => onAct('halt', market)}
        >
          {t.halt}
        </Button>
      )}
      {!isTrading && (
        <Button
          size="small"
          aria-label={t.changeOf({ market: name })}
          onPress={() => onAct('change', market)}
        >
          {t.change}
        </Button>
      )}
      <MenuButton
        label={t.more({ market: name })}
        placement="bottom end"
        button={(props) => (
          <IconButton {...props} icon="more" size="small" label={t.more({ market: name })} />
        )}
        entries={() => [
          ...(isTrading ? [{ text: t.change, act: () => onAct('change', market) }] : []),
          { text: t.terms, icon: 'edit', act: () => onAct('terms', market) },
          {
            text: t.cancelOrders,
            icon: 'close',
            isDanger: true,
            act: () => onAct('cancelOrders', market),
          },
        ]}
      />
    </span>
  );
}
