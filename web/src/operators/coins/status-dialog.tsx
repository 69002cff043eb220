import type { Coin, Network } from '@rialto/sdk';
import { useState } from 'react';
import type { Requested } from '../../api/administration.ts';
import { useTexts } from '../../i18n/texts.ts';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { ActDialog } from '../act-dialog.tsx';
import { useOperatorAct } from '../use-operator.ts';
import { STATES, STATUSES } from './draft.ts';
import { texts } from './texts.ts';

export function StatusDialog({
  coin: { symbol },
  network,
  onDone,
  onClose,
}: {
  readonly coin: Coin;
  readonly network: Network;
  readonly onDone: (what: string, result: Requested) => void;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const { run, isRunning, error } = useOperatorAct();
  const [after, setAfter] = useState<Pick<Network, (typeof STATUSES)[number]>>(network);
  const changed = STATUSES.filter((status) => after[status] !== network[status]);
  const title = t.setStatusOf({ coin: symbol.toUpperCase(), network: network.NetworkSymbol });
  const act = async (reason: string) => {
    const result = await run({
      path: '/network/status',
      params: {
        coin: symbol,
        network: network.NetworkSymbol,
        reason,
        ...Object.fromEntries(changed.map((status) => [status, after[status]])),
      },
    });
    if (result !== undefined) onDone(`${title}.`, result);
  };
  return (
    <ActDialog
      title={title}
      act={t.setStatus}
      mustType={symbol}
      isDisabled={changed.length === 0}
      isRunning={isRunning}
      error={error}
      onRun={(reason) => void act(reason)}
      onClose={onClose}
    >
      <p>{t.statusWhy}</p>
      {STATUSES.map((status) => (
        <RadioGroup
          key={status}
          label={t[status]}
          look="segments"
          isWide
          value={after[status]}
          onChange={(value) =>
            setAfter((now) => ({
              ...now,
              [status]: STATES.find((one) => one === value) ?? now[status],
            }))
          }
          choices={STATES.map((value) => ({ value, label: t[value] }))}
        />
      ))}
      {changed.length === 0 && (
        <p role="status" className="text-small text-muted">
          {t.sameStatus}
        </p>
      )}
    </ActDialog>
  );
}
