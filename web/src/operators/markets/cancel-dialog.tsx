import { useTexts } from '../../i18n/texts.ts';
import { ActDialog } from '../act-dialog.tsx';
import { useOperatorAct } from '../use-operator.ts';
import { nameOf } from './name.ts';
import type { MarketDialogProps } from './phase-dialog.tsx';
import { texts } from './texts.ts';

export function CancelDialog({ market, onDone, onClose }: MarketDialogProps) {
  const t = useTexts(texts);
  const { run, isRunning, error } = useOperatorAct();
  const title = t.cancelOrdersOf({ market: nameOf(market) });
  const act = async (reason: string) => {
    const { symbol } = market;
    const result = await run({ path: '/market/cancel_orders', params: { symbol, reason } });
    if (result !== undefined) onDone(`${title}.`, result);
  };
  return (
    <ActDialog
      title={title}
      act={t.cancelOrders}
      mustType={market.symbol}
      isRunning={isRunning}
      error={error}
      onRun={(reason) => void act(reason)}
      onClose={onClose}
    >
      <p>{t.cancelWhy}</p>
    </ActDialog>
  );
}
