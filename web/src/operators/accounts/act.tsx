import { useState } from 'react';
import type { LookedAccount, Requested } from '../../api/administration.ts';
import { tradingWith } from '../../api/trading.ts';
import { useAsked } from '../../asked/use-asked.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useStore } from '../../state/react.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Select } from '../../ui/select.tsx';
import { ActDialog } from '../act-dialog.tsx';
import { useOperatorAct } from '../use-operator.ts';
import type { AccountAct } from './card.tsx';
import { texts } from './texts.ts';

type Act = Exclude<AccountAct, 'setTier' | 'unpin'>;

const PATHS: Readonly<Record<Act, string>> = {
  suspend: '/account/suspend',
  resume: '/account/resume',
  cancelOrders: '/account/cancel_orders',
};
const ALL = '';

export function AccountDialog({
  account: { account, owner },
  act,
  onDone,
  onClose,
}: {
  readonly account: LookedAccount;
  readonly act: Act;
  readonly onDone: (what: string, result: Requested) => void;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const { run, isRunning, error } = useOperatorAct();
  const [keepsOrders, setKeepsOrders] = useState(false);
  const [symbol, setSymbol] = useState(ALL);
  const title = `${t.title({ account })}: ${t[act]}`;
  const go = async (reason: string) => {
    const result = await run({
      path: PATHS[act],
      params: {
        account,
        reason,
        ...(act === 'suspend' && { keepOrders: keepsOrders }),
        ...(act === 'cancelOrders' && symbol !== ALL && { symbol }),
      },
    });
    if (result !== undefined) onDone(`${title}.`, result);
  };
  return (
    <ActDialog
      title={title}
      act={t[act]}
      mustType={account}
      isRunning={isRunning}
      error={error}
      onRun={(reason) => void go(reason)}
      onClose={onClose}
    >
      <p>
        <bdi className="font-medium">{owner}</bdi>
      </p>
      {act === 'suspend' && (
        <>
          <p>{t.suspendWhy}</p>
          <Checkbox isSelected={keepsOrders} onChange={setKeepsOrders}>
            {t.keepOrders}
          </Checkbox>
        </>
      )}
      {act === 'resume' && <p>{t.resumeWhy}</p>}
      {act === 'cancelOrders' && (
        <>
          <p>{t.cancelWhy}</p>
          <MarketChoice value={symbol} onChange={setSymbol} />
        </>
      )}
    </ActDialog>
  );
}

function MarketChoice({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (symbol: string) => void;
}) {
  const t = useTexts(texts);
  const { origin } = useStore().client.chat;
  const { asked } = useAsked('operator markets', (signal) =>
    tradingWith(origin, undefined).public.markets({}, { signal }),
  );
  const symbols = asked.state === 'known' ? asked.value.map(({ symbol }) => symbol) : [];
  return (
    <Select
      label={t.market}
      value={value}
      onChange={onChange}
      choices={[
        { value: ALL, label: t.allMarkets },
        ...symbols.map((symbol) => ({ value: symbol, label: symbol.toUpperCase() })),
      ]}
    />
  );
}
