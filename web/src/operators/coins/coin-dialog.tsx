import type { Coin, Network } from '@rialto/sdk';
import { useState } from 'react';
import type { Requested } from '../../api/administration.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ReviewedAct } from '../review/reviewed-act.tsx';
import { texts as review } from '../review/texts.ts';
import { useOperatorAct } from '../use-operator.ts';
import {
  changesOf,
  coinProblems,
  draftOf,
  networkProblems,
  newNetwork,
  NO_COIN,
  withDefault,
  type CoinDraft,
  type FieldChange,
} from './draft.ts';
import { NetworkFields } from './network-fields.tsx';
import { texts } from './texts.ts';

const NETWORKS_MAX = 50;

export function CoinDialog({
  coin,
  taken,
  onDone,
  onClose,
}: {
  /** Undefined for a new one. */
  readonly coin: Coin | undefined;
  readonly taken: readonly string[];
  readonly onDone: (what: string, result: Requested) => void;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const { run, isRunning, error, forget } = useOperatorAct();
  const [before] = useState(() => (coin === undefined ? undefined : draftOf(coin)));
  const [after, setAfter] = useState(before ?? NO_COIN);
  const changes = changesOf(before, after);
  const name = after.symbol.toUpperCase();
  const problem = useProblem({ before, after, taken, changes });
  const nameField = useChangeName();
  const act = async () => {
    const { networks, ...names } = after;
    const result = await run({
      path: '/coin/upsert',
      params: { ...names, networks: JSON.stringify(networks) },
    });
    if (result !== undefined) onDone(t.changed({ coin: name }), result);
  };
  return (
    <ReviewedAct
      title={coin === undefined ? t.add : t.changeOf({ coin: name })}
      act={coin === undefined ? t.add : t.change}
      mustType={after.symbol}
      hasReason={false}
      note={t.addWhy}
      changes={changes.map((change) => nameField(change))}
      problem={problem}
      isRunning={isRunning}
      error={error}
      onRun={() => void act()}
      onForget={forget}
      onClose={onClose}
    >
      <CoinForm before={before} after={after} taken={taken} onChange={setAfter} />
    </ReviewedAct>
  );
}

function useProblem({
  before,
  after,
  taken,
  changes,
}: {
  readonly before: CoinDraft | undefined;
  readonly after: CoinDraft;
  readonly taken: readonly string[];
  readonly changes: readonly FieldChange[];
}): string | undefined {
  const t = useTexts(texts);
  const r = useTexts(review);
  const [name] = Object.entries(coinProblems(after, before === undefined ? taken : []));
  if (name !== undefined) {
    const field = t[name[0] as 'symbol' | 'nameEn' | 'nameFa'];
    return name[1] === 'missing' ? r.missing({ field }) : r.look({ field });
  }
  for (const [index, network] of after.networks.entries()) {
    const [wrong] = Object.entries(networkProblems(network, otherSymbols(after, index)));
    if (wrong === undefined) continue;
    const field = `${network.NetworkSymbol || t.newNetwork}: ${t[wrong[0] as 'addressUrl']}`;
    return wrong[1] === 'missing' ? r.missing({ field }) : r.look({ field });
  }
  return changes.length === 0 ? r.nothing : undefined;
}

const otherSymbols = ({ networks }: CoinDraft, at: number): readonly string[] =>
  networks.flatMap(({ NetworkSymbol }, index) => (index === at ? [] : [NetworkSymbol]));

function useChangeName() {
  const t = useTexts(texts);
  const shown = (value: string): string =>
    ({
      true: t.yes,
      false: t.no,
      active: t.active,
      paused: t.paused,
      disabled: t.disabled,
    })[value] ?? value;
  return ({ network, field, before, after }: FieldChange) => ({
    name: network === undefined ? t[field] : `\u2068${network}\u2069: ${t[field]}`,
    before: before === undefined ? undefined : shown(before),
    after: shown(after),
  });
}

function CoinForm({
  before,
  after,
  taken,
  onChange,
}: {
  readonly before: CoinDraft | undefined;
  readonly after: CoinDraft;
  readonly taken: readonly string[];
  readonly onChange: (change: (now: CoinDraft) => CoinDraft) => void;
}) {
  const t = useTexts(texts);
  const problems = coinProblems(after, before === undefined ? taken : []);
  const errorOf = (field: 'symbol' | 'nameEn' | 'nameFa') => {
    const problem = problems[field];
    // An empty field says by itself that it is empty.
    return problem === undefined || problem === 'missing' ? undefined : t[problem];
  };
  const text = (field: 'symbol' | 'nameEn' | 'nameFa') => ({
    label: t[field],
    value: after[field],
    onChange: (value: string) => onChange((now) => ({ ...now, [field]: value })),
    error: errorOf(field),
    maxLength: 100,
    isRequired: true,
    autoComplete: 'off',
  });
  const change = (at: number, fields: Partial<Network>) =>
    onChange((now) => {
      const networks = now.networks.map((one, index) =>
        index === at ? { ...one, ...fields } : one,
      );
      return {
        ...now,
        networks: fields.isDefault === true ? withDefault(networks, at) : networks,
      };
    });
  const oldCount = before?.networks.length ?? 0;
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-3 items-start gap-x-4 gap-y-3 max-tablet:grid-cols-1">
        <TextField
          {...text('symbol')}
          isLatin
          isReadOnly={before !== undefined}
          {...(before === undefined && { description: t.symbolNote })}
        />
        <TextField {...text('nameEn')} isLatin />
        <TextField {...text('nameFa')} />
      </div>
      <h3 className="font-semibold">
        {t.networks}{' '}
        <span className="font-normal text-muted">
          ({after.networks.length === 0 ? t.noNetwork : t.count({ count: after.networks.length })})
        </span>
      </h3>
      {after.networks.map((network, index) => (
        <NetworkFields
          // Networks keep their places while they are edited.
          key={index}
          network={network}
          isNew={index >= oldCount}
          isOnly={after.networks.length === 1}
          others={otherSymbols(after, index)}
          onChange={(fields) => change(index, fields)}
          onDrop={() =>
            onChange((now) => {
              const networks = now.networks.filter((_, at) => at !== index);
              const hasDefault = networks.some(({ isDefault }) => isDefault);
              return { ...now, networks: hasDefault ? networks : withDefault(networks, 0) };
            })
          }
        />
      ))}
      <Button
        size="small"
        icon="add"
        className="self-start"
        isDisabled={after.networks.length >= NETWORKS_MAX}
        onPress={() =>
          onChange((now) => ({
            ...now,
            networks: [...now.networks, newNetwork(now.networks.length === 0)],
          }))
        }
      >
        {t.addNetwork}
      </Button>
    </div>
  );
}
