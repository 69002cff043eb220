import { decimal } from '@rialto/sdk';
import { useState } from 'react';
import type { Reconciled } from '../../api/administration.ts';
import { FailureNotice } from '../../asked/failure.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { Amount } from '../../ui/amount.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Table } from '../../ui/table.tsx';
import { useMay, useOperatorAct } from '../use-operator.ts';
import { texts } from './texts.ts';

/** Only when asked: each comparison takes a code. */
export function Solvency() {
  const t = useTexts(texts);
  const may = useMay()('treasury');
  const { run, isRunning, error } = useOperatorAct<Reconciled>();
  const [result, setResult] = useState<Reconciled>();
  const compare = async () => {
    const compared = await run({ path: '/reconcile' });
    if (compared !== undefined) setResult(compared);
  };
  return (
    <Section
      title={t.solvency}
      note={t.solvencyNote}
      actions={
        may && (
          <Button size="small" isPending={isRunning} onPress={() => void compare()}>
            {t.compare}
          </Button>
        )
      }
    >
      {!may && <p className="text-muted">{t.noTreasury}</p>}
      <FailureNotice what={t.notCompared} error={error} />
      {result !== undefined && (
        <>
          <Banner tone={result.isCovered ? 'success' : 'danger'}>
            {result.isCovered ? t.covered : t.uncovered}
          </Banner>
          <Table
            label={t.solvency}
            rows={result.coins}
            keyOf={({ coin }) => coin}
            columns={[
              {
                id: 'coin',
                title: t.coin,
                isRowTitle: true,
                cell: ({ coin }) => coin.toUpperCase(),
              },
              {
                id: 'assets',
                title: t.assets,
                isNumber: true,
                cell: ({ assets }) => <Amount value={assets} />,
              },
              {
                id: 'liabilities',
                title: t.liabilities,
                isNumber: true,
                cell: ({ liabilities }) => <Amount value={liabilities} />,
              },
              {
                id: 'difference',
                title: t.difference,
                isNumber: true,
                cell: ({ assets, liabilities }) => (
                  <Amount value={decimal.subtract(assets, liabilities)} isChange />
                ),
              },
            ]}
          />
        </>
      )}
    </Section>
  );
}
