// Which kind of order, and how long it lives.
import { useTexts } from '../../i18n/texts.ts';
import { NativeSelect } from '../../ui/native-select.tsx';
import { useMarket } from '../venue/react.ts';
import { kindsOf } from './draft.ts';
import { kindsIn, type Phase } from './phase.ts';
import { texts } from './texts.ts';
import type { FormState } from './use-form.ts';

export function KindFields({
  state: { draft, reading, change },
  phase,
  onKind,
}: {
  readonly state: FormState;
  readonly phase: Phase;
  /** Another kind has other fields, of which nobody has been asked yet. */
  readonly onKind: () => void;
}) {
  const t = useTexts(texts);
  const market = useMarket();
  const { hasTimeInForce } = reading.sized.shape;
  return (
    <div className="flex gap-2">
      <NativeSelect
        label={t.kind}
        value={draft.kind}
        onChange={(kind) => {
          onKind();
          change((now) => ({ ...now, kind }));
        }}
        choices={kindsIn(phase, kindsOf(market)).map((value) => ({ value, label: t[value] }))}
        className="flex-1"
      />
      {hasTimeInForce && (
        <NativeSelect
          label={t.timeInForce}
          value={draft.timeInForce}
          onChange={(timeInForce) => change((now) => ({ ...now, timeInForce }))}
          choices={market.timeInForce.map((value) => ({ value, label: value }))}
          description={t[draft.timeInForce]}
          className="w-28 shrink-0"
        />
      )}
    </div>
  );
}
