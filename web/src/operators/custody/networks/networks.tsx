import { lazy, Suspense, useState } from 'react';
import type { CustodyNetwork } from '../../../api/custody.ts';
import { writeMoment, writeUtc } from '../../../i18n/date.ts';
import { useLocale } from '../../../i18n/locale.tsx';
import { writeCount } from '../../../i18n/number.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Section } from '../../../settings/section.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Table } from '../../../ui/table.tsx';
import type { PartProps } from '../part.ts';
import { reasonTexts, texts } from './texts.ts';

const NetworkDialog = lazy(() =>
  import('./dialog.tsx').then((file) => ({ default: file.NetworkDialog })),
);

export function Networks({ custody, mayAct, onDone }: PartProps) {
  const t = useTexts(texts);
  const locale = useLocale();
  const [doing, setDoing] = useState<CustodyNetwork>();
  const count = (text: string) => writeCount(Number(text), locale);
  return (
    <Section title={t.networks} note={t.networksNote}>
      <Table
        label={t.networks}
        rows={custody.networks}
        keyOf={({ network }) => network}
        columns={[
          {
            id: 'network',
            title: t.network,
            isRowTitle: true,
            cell: ({ network }) => <bdi className="font-medium">{network}</bdi>,
          },
          {
            id: 'state',
            title: t.state,
            cell: ({ status }) => (
              <Badge tone={status === 'active' ? 'success' : 'warning'}>{t[status]}</Badge>
            ),
          },
          ...(mayAct
            ? [
                {
                  id: 'acts',
                  title: t.acts,
                  cell: (row: CustodyNetwork) => (
                    <Button
                      size="small"
                      aria-label={(row.heldReason === '' ? t.pauseOf : t.resumeOf)(row)}
                      onPress={() => setDoing(row)}
                    >
                      {row.heldReason === '' ? t.pause : t.resume}
                    </Button>
                  ),
                },
              ]
            : []),
          { id: 'why', title: t.why, cell: (row) => <Why row={row} /> },
          {
            id: 'blocks',
            title: t.blocks,
            cell: ({ scannedHeight, tipHeight, lagBlocks, rescanFrom }) => (
              <span className="flex flex-col py-1.5">
                <span className="figures">
                  {t.blocksOf({ read: count(scannedHeight), tip: count(tipHeight) })}
                </span>
                <span className="text-small text-muted">
                  {rescanFrom === ''
                    ? t.behind({ count: Number(lagBlocks) })
                    : t.rescan({ from: count(rescanFrom) })}
                </span>
              </span>
            ),
          },
          {
            id: 'tip',
            title: t.tip,
            cell: ({ tipAt }) => (
              <time
                dateTime={new Date(Number(tipAt)).toISOString()}
                title={writeUtc(Number(tipAt))}
              >
                {writeMoment(Number(tipAt), locale)}
              </time>
            ),
          },
        ]}
      />
      {doing !== undefined && (
        <Suspense>
          <NetworkDialog
            network={doing}
            onClose={() => setDoing(undefined)}
            onDone={(said) => {
              setDoing(undefined);
              onDone(said);
            }}
          />
        </Suspense>
      )}
    </Section>
  );
}

/** What the watcher found, and what operators wrote; either may be missing. */
function Why({ row: { reason, heldReason } }: { readonly row: CustodyNetwork }) {
  const words: Readonly<Record<string, string>> = useTexts(reasonTexts);
  if (reason === '' && heldReason === '') return null;
  return (
    <span className="flex max-w-72 min-w-40 flex-col py-1.5 whitespace-normal">
      {reason !== '' && <span>{words[reason] ?? <bdi dir="ltr">{reason}</bdi>}</span>}
      {heldReason !== '' && <bdi className="text-small break-words text-muted">{heldReason}</bdi>}
    </span>
  );
}
