// The fee tiers as operators see them.
import type { FeeTier } from '@rialto/sdk';
import { lazy, Suspense, useState } from 'react';
import type { Requested } from '../../api/administration.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { writeCount } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Amount } from '../../ui/amount.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table } from '../../ui/table.tsx';
import { percentOf } from '../../wallet/limits/tiers.ts';
import { Looked } from '../looked.tsx';
import { Outcome } from '../outcome.tsx';
import { askAfterAct, useMay, useTiers } from '../use-operator.ts';
import { texts } from './texts.ts';

const TierDialog = lazy(() =>
  import('./tier-dialog.tsx').then((file) => ({ default: file.TierDialog })),
);

export default function FeesPage() {
  const t = useTexts(texts);
  const may = useMay()('markets');
  const asking = useTiers();
  const [doing, setDoing] = useState<FeeTier | 'new'>();
  const [done, setDone] = useState<{ what: string; result: Requested }>();
  const begin = (next: FeeTier | 'new') => {
    setDone(undefined);
    setDoing(next);
  };
  const taken = asking.asked.state === 'known' ? asking.asked.value.map(({ tier }) => tier) : [];
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-80 text-pretty text-muted">
          {may ? t.about : t.nothing}
        </p>
        {may && (
          <Button icon="add" onPress={() => begin('new')}>
            {t.add}
          </Button>
        )}
      </div>
      {done !== undefined && <Outcome {...done} onDismiss={() => setDone(undefined)} />}
      <Looked asking={asking}>
        {(tiers) => <TierTable tiers={tiers} mayAct={may} onChange={begin} />}
      </Looked>
      {doing !== undefined && (
        <Suspense>
          <TierDialog
            tier={doing === 'new' ? undefined : doing}
            taken={taken}
            onClose={() => setDoing(undefined)}
            onDone={(what, result) => {
              setDone({ what, result });
              setDoing(undefined);
              askAfterAct(asking);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

function TierTable({
  tiers,
  mayAct,
  onChange,
}: {
  readonly tiers: readonly FeeTier[];
  readonly mayAct: boolean;
  readonly onChange: (tier: FeeTier) => void;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const name = ({ tier }: FeeTier) => writeCount(Number(tier), locale);
  const rate = (id: 'makerFee' | 'takerFee', title: string) => ({
    id,
    title,
    isNumber: true,
    cell: (tier: FeeTier) => <Amount value={percentOf(tier[id])} unit="%" />,
  });
  return (
    <Table
      label={t.table}
      rows={tiers}
      keyOf={({ tier }) => tier}
      empty={<EmptyState icon="list">{t.none}</EmptyState>}
      columns={[
        { id: 'tier', title: t.tier, isRowTitle: true, cell: name },
        ...(mayAct
          ? [
              {
                id: 'acts',
                title: t.acts,
                cell: (tier: FeeTier) => (
                  <Button
                    size="small"
                    icon="edit"
                    aria-label={t.changeOf({ tier: name(tier) })}
                    onPress={() => onChange(tier)}
                  >
                    {t.change}
                  </Button>
                ),
              },
            ]
          : []),
        {
          id: 'from',
          title: t.from,
          isNumber: true,
          cell: ({ minVolume30d }) => <Amount value={minVolume30d} />,
        },
        rate('makerFee', t.maker),
        rate('takerFee', t.taker),
      ]}
    />
  );
}
