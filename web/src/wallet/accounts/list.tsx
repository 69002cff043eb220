import type { SubAccount } from '@rialto/sdk';
import { lazy, Suspense, useState } from 'react';
import { writeDate } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { useAct } from '../../settings/use-act.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Table } from '../../ui/table.tsx';
import { useTrading } from '../use-trading.ts';
import { texts } from './texts.ts';

const LabelDialog = lazy(() =>
  import('./label-dialog.tsx').then((file) => ({ default: file.LabelDialog })),
);
const ConfirmDialog = lazy(() =>
  import('../../ui/confirm-dialog.tsx').then((file) => ({ default: file.ConfirmDialog })),
);

type Doing =
  { readonly act: 'create' } | { readonly act: 'rename' | 'close'; readonly sub: SubAccount };

export function AccountList({
  subs,
  onChanged,
}: {
  readonly subs: readonly SubAccount[];
  readonly onChanged: () => void;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const [doing, setDoing] = useState<Doing>();
  const open = (
    <Button size="small" icon="add" onPress={() => setDoing({ act: 'create' })}>
      {t.create}
    </Button>
  );
  return (
    <Section title={t.title} note={t.about} actions={subs.length > 0 && open}>
      {subs.length === 0 ? (
        <EmptyState icon="wallet" action={open}>
          {t.none}
        </EmptyState>
      ) : (
        <Table
          label={t.title}
          rows={subs}
          keyOf={({ accountId }) => accountId}
          columns={[
            {
              id: 'label',
              title: t.label,
              isRowTitle: true,
              cell: ({ label }) => <bdi className="font-medium">{label}</bdi>,
            },
            {
              id: 'number',
              title: t.number,
              cell: ({ accountId }) => <bdi className="figures">{accountId}</bdi>,
            },
            {
              id: 'opened',
              title: t.opened,
              cell: ({ createdAt }) => writeDate(Number(createdAt), locale),
            },
            {
              id: 'state',
              title: t.state,
              cell: ({ canTrade }) => (canTrade ? t.trades : t.suspended),
            },
            {
              id: 'acts',
              title: t.acts,
              cell: (sub) => (
                <span className="flex gap-1">
                  {(['rename', 'close'] as const).map((act) => (
                    <Button
                      key={act}
                      size="small"
                      variant="quiet"
                      aria-label={(act === 'rename' ? t.renameOf : t.closeOf)({ name: sub.label })}
                      onPress={() => setDoing({ act, sub })}
                    >
                      {t[act]}
                    </Button>
                  ))}
                </span>
              ),
            },
          ]}
        />
      )}
      <p className="flex flex-wrap items-center gap-3 text-small text-muted">
        {t.keysHint}
        <LinkButton size="small" icon="key" href="/settings/keys">
          {t.keys}
        </LinkButton>
      </p>
      {doing !== undefined && (
        <Doer doing={doing} onChanged={onChanged} onClose={() => setDoing(undefined)} />
      )}
    </Section>
  );
}

function Doer({
  doing,
  onChanged,
  onClose,
}: {
  readonly doing: Doing;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const trading = useTrading();
  const act = useAct();
  const end = (isDone: boolean) => {
    if (!isDone) return;
    onChanged();
    onClose();
  };
  return (
    <Suspense>
      {doing.act === 'close' ? (
        <ConfirmDialog
          isOpen
          onOpenChange={onClose}
          title={t.closeTitle({ name: doing.sub.label })}
          act={t.close}
          mustType={doing.sub.label}
          isPending={act.isPending}
          onConfirm={() =>
            void act
              .run(
                (code) => trading(code).subAccount.close({ accountId: doing.sub.accountId }),
                t.closed,
              )
              .then(end)
          }
        >
          {t.closeWhy}
        </ConfirmDialog>
      ) : (
        <LabelDialog
          title={doing.act === 'create' ? t.createTitle : t.renameOf({ name: doing.sub.label })}
          start={doing.act === 'create' ? '' : doing.sub.label}
          act={doing.act === 'create' ? t.create : t.save}
          isPending={act.isPending}
          onClose={onClose}
          onDone={(label) =>
            void act
              .run(
                (code) =>
                  doing.act === 'create'
                    ? trading(code).subAccount.create({ label })
                    : trading(code).subAccount.update({ accountId: doing.sub.accountId, label }),
                doing.act === 'create' ? t.created : t.renamed,
              )
              .then(end)
          }
        />
      )}
    </Suspense>
  );
}
