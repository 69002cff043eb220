// Where the person is signed in, and ending that: one by one, or all others.
import { useState } from 'react';
import { callSession } from '../../api/session-call.ts';
import { writeRecent } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { AskedList } from '../asked.tsx';
import { Section } from '../section.tsx';
import { useAct } from '../use-act.ts';
import { useAsked } from '../use-asked.ts';
import { texts } from './texts.ts';

interface Session {
  readonly id: number;
  readonly kind: 'browser' | 'cli';
  readonly device: string;
  readonly address: string;
  readonly network: 'same' | 'private' | 'other';
  readonly created_at: number;
  readonly last_seen_at: number;
  readonly is_current: boolean;
}

const listSessions = async (signal: AbortSignal): Promise<readonly Session[]> =>
  (await callSession<{ sessions: Session[] }>({ method: 'GET', path: '/sessions', signal }))
    .sessions;

export default function Sessions() {
  const t = useTexts(texts);
  const [answer, reload] = useAsked(listSessions);
  const [isAsking, setAsking] = useState(false);
  const { run, isPending } = useAct();
  const endOthers = async () => {
    const isDone = await run(
      () => callSession({ method: 'DELETE', path: '/sessions', params: { except_current: true } }),
      t.endedOthers,
    );
    setAsking(false);
    if (isDone) reload();
  };
  const hasOthers = answer.kind === 'there' && answer.value.length > 1;
  return (
    <Section
      title={t.title}
      note={t.note}
      actions={
        hasOthers && (
          <Button size="small" onPress={() => setAsking(true)}>
            {t.endOthers}
          </Button>
        )
      }
    >
      <AskedList answer={answer} onRetry={reload}>
        {(sessions) => (
          <>
            <ul className="flex flex-col divide-y divide-line">
              {sessions.toSorted(currentFirst).map((one) => (
                <SessionRow key={one.id} session={one} onEnded={reload} />
              ))}
            </ul>
            {sessions.length === 1 && <p className="text-muted">{t.alone}</p>}
          </>
        )}
      </AskedList>
      <ConfirmDialog
        title={t.endOthersTitle}
        act={t.endOthers}
        isOpen={isAsking}
        onOpenChange={setAsking}
        isPending={isPending}
        onConfirm={() => void endOthers()}
      >
        {t.endOthersNote}
      </ConfirmDialog>
    </Section>
  );
}

const currentFirst = (a: Session, b: Session): number =>
  Number(b.is_current) - Number(a.is_current) || b.last_seen_at - a.last_seen_at;

function SessionRow({
  session,
  onEnded,
}: {
  readonly session: Session;
  readonly onEnded: () => void;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const { run, isPending } = useAct();
  const at = (seconds: number) => writeRecent(seconds * 1000, Date.now(), locale);
  const device = session.kind === 'cli' ? t.cli : session.device;
  const end = async () => {
    const path = `/sessions/${session.id}`;
    if (await run(() => callSession({ method: 'DELETE', path }), t.ended)) onEnded();
  };
  return (
    <li className="flex items-center gap-3 py-3">
      <Icon name={session.kind === 'cli' ? 'code' : 'globe'} className="text-muted" />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex flex-wrap items-center gap-2 font-medium">
          <bdi>{device}</bdi>
          {session.is_current && <Badge tone="success">{t.thisOne}</Badge>}
        </span>
        <span className="text-small text-muted">
          {t.lastSeen({ time: at(session.last_seen_at) })} ·{' '}
          {t.opened({ time: at(session.created_at) })}
        </span>
        <span className="text-small text-muted">
          <bdi dir="ltr">{session.address}</bdi>
          {session.network === 'same' && ` · ${t.sameNetwork}`}
          {session.network === 'private' && ` · ${t.privateNetwork}`}
        </span>
      </div>
      {!session.is_current && (
        <Button
          size="small"
          isPending={isPending}
          aria-label={t.endLabel({ device })}
          onPress={() => void end()}
        >
          {t.end}
        </Button>
      )}
    </li>
  );
}
