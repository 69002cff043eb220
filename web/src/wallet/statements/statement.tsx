import { decimal, type Statement } from '@rialto/sdk';
import { FailureState } from '../../asked/failure.tsx';
import { useAsked } from '../../asked/use-asked.ts';
import type { Month } from '../../i18n/calendar.ts';
import { writeMoment } from '../../i18n/date.ts';
import type { Locale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { useStore } from '../../state/react.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Table } from '../../ui/table.tsx';
import { OwnAmount, OwnChange } from '../hidden.tsx';
import { WalletLoading } from '../loading.tsx';
import { texts as walletTexts } from '../texts.ts';
import { fileHref, FORMATS, loadStatement, zoneHere, type FileHash, type Format } from './load.ts';
import { texts } from './texts.ts';

export function StatementView({
  period,
  locale,
}: {
  readonly period: Month;
  /** With the calendar that was chosen here. */
  readonly locale: Locale;
}) {
  const t = useTexts(texts);
  const { origin } = useStore().client.chat;
  const { asked, again } = useAsked(`wallet statement ${period.fromMs} ${period.toMs}`, (signal) =>
    loadStatement(origin, period, signal),
  );
  if (asked.state === 'asking') return <WalletLoading />;
  if (asked.state === 'failed') {
    return <FailureState what={t.notLoaded} error={asked.error} onRetry={again} />;
  }
  const { statement, hashes } = asked.value;
  return (
    <>
      <p role="status">
        {t.summary({
          from: writeMoment(period.fromMs, locale),
          to: writeMoment(period.toMs, locale),
          count: statement.entries.length,
        })}
      </p>
      <Totals statement={statement} />
      <Section title={t.files} note={`${t.filesNote} ${t.zone({ zone: zoneHere() })}`}>
        {FORMATS.map((format) => (
          <FileRow key={format} period={period} format={format} hash={hashes[format]} />
        ))}
      </Section>
    </>
  );
}

function Totals({ statement: { opening, closing } }: { readonly statement: Statement }) {
  const t = useTexts(texts);
  const common = useTexts(walletTexts);
  const before = new Map(opening.map(({ coin, total }) => [coin, total]));
  const after = new Map(closing.map(({ coin, total }) => [coin, total]));
  const rows = [...new Set([...before.keys(), ...after.keys()])].sort().map((coin) => ({
    coin,
    opening: before.get(coin) ?? '0',
    closing: after.get(coin) ?? '0',
  }));
  return (
    <Table
      label={t.table}
      rows={rows}
      keyOf={({ coin }) => coin}
      empty={<p className="px-3 py-4 text-muted">{t.empty}</p>}
      columns={[
        {
          id: 'coin',
          title: common.coin,
          isRowTitle: true,
          cell: ({ coin }) => <span className="font-medium">{coin.toUpperCase()}</span>,
        },
        {
          id: 'opening',
          title: t.opening,
          isNumber: true,
          cell: (row) => <OwnAmount value={row.opening} />,
        },
        {
          id: 'change',
          title: t.change,
          isNumber: true,
          cell: ({ coin, opening: from, closing: to }) => (
            <OwnChange value={decimal.subtract(to, from)} unit={coin.toUpperCase()} />
          ),
        },
        {
          id: 'closing',
          title: t.closing,
          isNumber: true,
          cell: (row) => <OwnAmount value={row.closing} />,
        },
      ]}
    />
  );
}

function FileRow({
  period,
  format,
  hash,
}: {
  readonly period: Month;
  readonly format: Format;
  readonly hash: FileHash;
}) {
  const t = useTexts(texts);
  const name = format.toUpperCase();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <a
        href={fileHref(period, format)}
        download
        className="inline-flex h-control w-44 shrink-0 items-center justify-center gap-1.5 rounded-control border border-edge bg-raised px-3.5 font-medium shadow-raised hover:bg-hover"
      >
        <Icon name="download" className="size-4.5" />
        {t[format]}
      </a>
      <div className="flex min-w-0 flex-1 basis-72 flex-col">
        <span className="text-small text-muted">{t.hash({ format: name })}</span>
        <span className="flex min-w-0 items-center gap-1">
          <bdi dir="ltr" className="min-w-0 font-mono text-small break-all">
            {hash.sha256}
          </bdi>
          <CopyButton text={hash.sha256} label={t.copyHash({ format: name })} />
        </span>
        {hash.isRight === true && <span className="text-small text-muted">{t.right}</span>}
        {hash.isRight === false && (
          <span className="flex items-center gap-1 text-small text-danger">
            <Icon name="alert" className="size-4" />
            {t.wrong}
          </span>
        )}
      </div>
    </div>
  );
}
