// One's own leaf in the proof of reserves, followed up to the published root in this browser.
import { checkLeaf } from '@rialto/chains/reserves';
import type { ReserveLeaf, Reserves, Trading } from '@rialto/sdk';
import { FailureState } from '../../asked/failure.tsx';
import { useAsked } from '../../asked/use-asked.ts';
import { writeMoment } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Table } from '../../ui/table.tsx';
import { saveFile } from '../activity/save-file.ts';
import { OwnAmount } from '../hidden.tsx';
import { WalletLoading } from '../loading.tsx';
import { texts as walletTexts } from '../texts.ts';
import { useTrading } from '../use-trading.ts';
import { fromUnits } from './units.ts';
import { texts } from './texts.ts';

interface Loaded {
  readonly reserves: Reserves;
  readonly leaves: readonly ReserveLeaf[];
}

async function load(trading: Trading, signal: AbortSignal): Promise<Loaded> {
  const [reserves, leaves] = await Promise.all([
    trading.public.reserves({}, { signal }),
    trading.account.reserves({}, { signal }),
  ]);
  return { reserves, leaves };
}

export default function Proof() {
  const t = useTexts(texts);
  const common = useTexts(walletTexts);
  const locale = useLocale();
  const trading = useTrading();
  const { asked, again } = useAsked('wallet proof', (signal) => load(trading(), signal));
  if (asked.state === 'asking') return <WalletLoading />;
  if (asked.state === 'failed') {
    return <FailureState what={t.notLoaded} error={asked.error} onRetry={again} />;
  }
  const { reserves, leaves } = asked.value;
  if (leaves.length === 0) return <EmptyState icon="info">{t.none}</EmptyState>;
  const { publicationId, publishedAt, coins } = reserves;
  const roots = coins.map(({ coin, root }) => ({ publicationId, coin, root }));
  const rows = leaves.map((leaf) => ({
    leaf,
    fault: checkLeaf(leaf, roots).fault,
    whole: coins.find(({ coin }) => coin === leaf.coin),
  }));
  const file = `reserves-${publicationId}.json`;
  return (
    <Section
      title={t.title}
      note={t.about}
      actions={
        <>
          <LinkButton href="/reserves">{t.public}</LinkButton>
          <Button
            variant="primary"
            onPress={() => saveFile(file, 'application/json', JSON.stringify(leaves, null, 2))}
          >
            {t.save}
          </Button>
        </>
      }
    >
      <p className="text-muted">
        {t.published({
          id: writeDecimal(publicationId, locale),
          time: writeMoment(Number(publishedAt), locale),
        })}
      </p>
      {rows.some(({ fault }) => fault !== undefined) && <Banner tone="danger">{t.wrongWhy}</Banner>}
      <Table
        label={t.title}
        rows={rows}
        keyOf={({ leaf }) => leaf.coin}
        columns={[
          {
            id: 'coin',
            title: common.coin,
            isRowTitle: true,
            cell: ({ leaf }) => leaf.coin.toUpperCase(),
          },
          {
            id: 'yours',
            title: t.yours,
            isNumber: true,
            cell: ({ leaf }) => <OwnAmount value={fromUnits(leaf.units)} />,
          },
          {
            id: 'owed',
            title: t.owed,
            isNumber: true,
            cell: ({ whole }) => (
              <bdi dir="ltr">{writeDecimal(whole?.liabilities ?? '0', locale)}</bdi>
            ),
          },
          {
            id: 'held',
            title: t.held,
            isNumber: true,
            cell: ({ whole }) => <bdi dir="ltr">{writeDecimal(whole?.onChain ?? '0', locale)}</bdi>,
          },
          {
            id: 'verdict',
            title: t.verdict,
            cell: ({ fault }) =>
              fault === undefined ? (
                <Badge tone="success">{t.right}</Badge>
              ) : (
                <>
                  <Badge tone="danger">{t.wrong}</Badge>
                  <span dir="ltr" className="block text-small text-muted">
                    {fault}
                  </span>
                </>
              ),
          },
        ]}
      />
      <p className="text-pretty text-muted">
        {t.compare}{' '}
        <code dir="ltr" className="inline-block">
          npx rialto verify-reserves {file}
        </code>
      </p>
    </Section>
  );
}
