// What waits for a second operator, and who the operators are.
import { lazy, Suspense, useState } from 'react';
import {
  callAdministration,
  type Decided,
  type GivenGrant,
  type Pending,
} from '../../api/administration.ts';
import { useAsked } from '../../asked/use-asked.ts';
import { writeDate } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { useGuard } from '../../settings/step-up/provider.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table } from '../../ui/table.tsx';
import { Looked } from '../looked.tsx';
import { Outcome } from '../outcome.tsx';
import { texts as common } from '../texts.ts';
import { PendingItem, type Decision } from './item.tsx';
import { outcomeOf } from './outcome-of.ts';
import { texts } from './texts.ts';

const DecideDialog = lazy(() =>
  import('./decide-dialog.tsx').then((file) => ({ default: file.DecideDialog })),
);

interface Loaded {
  readonly pending: readonly Pending[];
  readonly grants: readonly GivenGrant[];
}

export default function ApprovalsPage() {
  const t = useTexts(texts);
  const shared = useTexts(common);
  const guard = useGuard();
  // Both in one question: two at once would ask for two proofs.
  const asking = useAsked<Loaded>('operator approvals', (signal) =>
    guard(async (code) => {
      const look = { method: 'GET', code, signal } as const;
      const pending = await callAdministration<readonly Pending[]>({ ...look, path: '/pending' });
      const grants = await callAdministration<readonly GivenGrant[]>({ ...look, path: '/grants' });
      return { pending, grants };
    }),
  );
  const [doing, setDoing] = useState<{ decision: Decision; item: Pending }>();
  const [done, setDone] = useState<Decided>();
  return (
    <>
      <p className="text-muted">{t.about}</p>
      {done !== undefined && (
        <Outcome
          what={t.said({ id: done.requestId })}
          result={{ status: outcomeOf(done.status), message: done.status }}
          onDismiss={() => setDone(undefined)}
        />
      )}
      <Looked asking={asking}>
        {({ pending, grants }, isRefreshing) => (
          <>
            <Section
              title={t.title}
              actions={
                <Button size="small" icon="refresh" isPending={isRefreshing} onPress={asking.again}>
                  {shared.again}
                </Button>
              }
            >
              {pending.length === 0 && <EmptyState icon="check">{t.none}</EmptyState>}
              <ul className="flex flex-col divide-y divide-line">
                {pending.map((item) => (
                  <PendingItem
                    key={item.requestId}
                    item={item}
                    onDecide={(decision) => setDoing({ decision, item })}
                  />
                ))}
              </ul>
            </Section>
            <Operators grants={grants} />
          </>
        )}
      </Looked>
      {doing !== undefined && (
        <Suspense>
          <DecideDialog
            {...doing}
            onClose={() => setDoing(undefined)}
            onDone={(decided) => {
              setDone(decided);
              setDoing(undefined);
              asking.again();
            }}
          />
        </Suspense>
      )}
    </>
  );
}

function Operators({ grants }: { readonly grants: readonly GivenGrant[] }) {
  const t = useTexts(texts);
  const locale = useLocale();
  return (
    <Section title={t.operators} note={t.operatorsNote}>
      <Table
        label={t.operators}
        rows={grants}
        keyOf={({ email, grant }) => `${email} ${grant}`}
        columns={[
          {
            id: 'person',
            title: t.person,
            isRowTitle: true,
            cell: ({ email }) => <bdi>{email}</bdi>,
          },
          { id: 'grant', title: t.grant, cell: ({ grant }) => <bdi>{grant}</bdi> },
          {
            id: 'since',
            title: t.since,
            cell: ({ givenAt }) => writeDate(Number(givenAt), locale),
          },
        ]}
      />
    </Section>
  );
}
