import type { AccountLedgerParams, LedgerEntry } from '@rialto/sdk';
import { useState } from 'react';
import { useAct } from '../../asked/use-act.ts';
import { useTexts } from '../../i18n/texts.ts';
import { reasonOf } from '../../settings/reason.ts';
import { Button } from '../../ui/button.tsx';
import { useToasts } from '../../ui/toasts-context.tsx';
import { useTrading } from '../use-trading.ts';
import { csvOf } from './csv.ts';
import { saveFile } from './save-file.ts';
import { texts } from './texts.ts';

const PAGE = 500;
/** Ten thousand lines: more belong into a statement. */
const PAGES_MAX = 20;

/** Reads what the filter lets through and hands it over as a file. */
export function ExportButton({ params }: { readonly params: AccountLedgerParams }) {
  const t = useTexts(texts);
  const trading = useTrading();
  const toasts = useToasts();
  const [count, setCount] = useState(0);
  const act = useAct(async () => {
    const entries: LedgerEntry[] = [];
    let cursor = '';
    setCount(0);
    try {
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const answer = await trading().account.ledger({
          ...params,
          limit: PAGE,
          ...(cursor !== '' && { cursor }),
        });
        entries.push(...answer.items);
        setCount(entries.length);
        cursor = answer.nextCursor;
        if (cursor === '') break;
      }
    } catch (error) {
      toasts.show({ tone: 'danger', text: `${t.exportFailed} ${reasonOf(error)}` });
      return;
    }
    saveFile('activity.csv', 'text/csv;charset=utf-8', csvOf(entries));
    const said = { count: entries.length };
    toasts.show({
      tone: 'success',
      text: cursor === '' ? t.exported(said) : t.exportedSome(said),
    });
  });
  return (
    <Button icon="download" isPending={act.isRunning} onPress={() => void act.run()}>
      {act.isRunning ? t.exporting({ count }) : t.export}
    </Button>
  );
}
