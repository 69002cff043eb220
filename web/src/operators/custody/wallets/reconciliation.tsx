// Whether the chains have what the ledger says, and coins that are stopped because they have not.
import { useEffect, useRef, useState } from 'react';
import type { CustodyReport, CustodyStop } from '../../../api/custody.ts';
import { FailureNotice } from '../../../asked/failure.tsx';
import { writeMoment } from '../../../i18n/date.ts';
import { useLocale } from '../../../i18n/locale.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { Section } from '../../../settings/section.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { useOperatorAct } from '../../use-operator.ts';
import type { PartProps } from '../part.ts';
import { networksLeft, newestOf } from './comparing.ts';
import { Reports } from './reports.tsx';
import { texts } from './texts.ts';

const LOOK_EVERY_MS = 2000;
const WITHIN_MS = 60_000;

interface Compared {
  readonly networks: readonly string[];
  /** The newest report when it was asked for. */
  readonly after: bigint;
  readonly untilMs: number;
}

export function Reconciliation({
  custody: { reports, stops },
  mayAct,
  again,
}: PartProps & { readonly again: () => void }) {
  const t = useTexts(texts);
  const { run, isRunning, error } = useOperatorAct<{ readonly networks: readonly string[] }>();
  const [asked, setAsked] = useState<Compared>();
  const [isLate, setLate] = useState(false);
  const left = asked === undefined ? [] : networksLeft(asked.networks, reports, asked.after);
  const isWaiting = left.length > 0 && !isLate;
  const latest = useRef(again);
  useEffect(() => {
    latest.current = again;
  });
  useEffect(() => {
    if (!isWaiting || asked === undefined) return;
    const timer = setInterval(() => {
      if (Date.now() > asked.untilMs) setLate(true);
      else latest.current();
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isWaiting, asked]);
  const compare = async () => {
    const after = newestOf(reports);
    const answer = await run({ path: '/custody/reconcile' });
    if (answer === undefined) return;
    setLate(false);
    setAsked({ networks: answer.networks, after, untilMs: Date.now() + WITHIN_MS });
    again();
  };
  const networks = left.join(', ');
  return (
    <Section
      title={t.reconciliation}
      note={t.reconciliationNote}
      actions={
        mayAct && (
          <Button size="small" isPending={isRunning || isWaiting} onPress={() => void compare()}>
            {t.compare}
          </Button>
        )
      }
    >
      <FailureNotice what={t.notCompared} error={error} />
      {stops.map((stop) => (
        <Stopped key={`${stop.network} ${stop.coin}`} stop={stop} />
      ))}
      {isWaiting && <Banner>{t.comparing({ networks })}</Banner>}
      {left.length > 0 && isLate && <Banner tone="warning">{t.tooLate({ networks })}</Banner>}
      {!isWaiting && reports.length > 0 && (
        <Verdict reports={reports} isNew={asked !== undefined && left.length === 0} />
      )}
      <Reports reports={reports} />
    </Section>
  );
}

function Verdict({
  reports,
  isNew,
}: {
  readonly reports: readonly CustodyReport[];
  readonly isNew: boolean;
}) {
  const t = useTexts(texts);
  const count = reports.filter(
    ({ outcome }) => outcome === 'surplus' || outcome === 'shortfall',
  ).length;
  const isWhole = reports.every(({ outcome }) => outcome !== 'postponed');
  const said = isNew ? `${t.compared} ` : '';
  if (count > 0) return <Banner tone="danger">{said + t.differing({ count })}</Banner>;
  if (!isWhole) return <Banner tone="warning">{t.waitingOnly}</Banner>;
  return <Banner tone="success">{said + t.allEqual}</Banner>;
}

function Stopped({ stop }: { readonly stop: CustodyStop }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const { network, stoppedAt, isCleared } = stop;
  const coin = stop.coin.toUpperCase();
  return (
    <Banner tone={isCleared ? 'warning' : 'danger'}>
      <p className="font-medium">
        {t.stopped({ coin, network, time: writeMoment(Number(stoppedAt), locale) })}
      </p>
      <p>{isCleared ? t.stoppedCleared : t.stoppedOpen}</p>
    </Banner>
  );
}
