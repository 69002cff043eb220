import { useState } from 'react';
import type { GetAuditLogParams } from '@rialto/sdk';
import { useTexts } from '../../i18n/texts.ts';
import { useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ACTS, actTexts } from './act-texts.ts';
import { periodOf, SPANS, type Span } from './period.ts';
import { PersonDialog } from './person-dialog.tsx';
import { texts } from './texts.ts';

export type AuditFilter = Omit<GetAuditLogParams, 'before' | 'limit'>;

type Act = NonNullable<GetAuditLogParams['act']>;

interface Chosen {
  readonly userId: number | undefined;
  readonly act: Act | undefined;
  readonly span: Span;
  readonly first: string;
  readonly last: string;
}

const EVERYTHING: Chosen = { userId: undefined, act: undefined, span: 'any', first: '', last: '' };
const ANY = '';

/** Person, act and time. A change is looked for at once; days that are the wrong way round are not. */
export function Filters({ onChange }: { readonly onChange: (filter: AuditFilter) => void }) {
  const t = useTexts(texts);
  const acts = useTexts(actTexts);
  const { people } = useStore().state;
  const [chosen, setChosen] = useState(EVERYTHING);
  const [isChoosing, setChoosing] = useState(false);
  const set = (part: Partial<Chosen>) => {
    const next = { ...chosen, ...part };
    setChosen(next);
    const period = periodOf(next.span, Date.now(), next.first, next.last);
    if (period === undefined) return;
    onChange({
      ...(next.userId !== undefined && { user_id: next.userId }),
      ...(next.act !== undefined && { act: next.act }),
      ...period,
    });
  };
  const isWrong = periodOf(chosen.span, 0, chosen.first, chosen.last) === undefined;
  const person = chosen.userId === undefined ? undefined : people.get(chosen.userId);
  return (
    <section
      aria-label={t.filters}
      className="grid gap-3 rounded-panel border border-line bg-panel p-4 tablet:grid-cols-3"
    >
      <div className="flex min-w-0 flex-col gap-1.5">
        <span className="text-small font-medium">{t.person}</span>
        <div className="flex gap-1">
          <Button className="min-w-0 flex-1" onPress={() => setChoosing(true)}>
            {person?.fullName ?? t.anybody}
          </Button>
          {person !== undefined && (
            <IconButton
              icon="close"
              label={t.clearPerson}
              onPress={() => set({ userId: undefined })}
            />
          )}
        </div>
      </div>
      <Select
        label={t.act}
        value={chosen.act ?? ANY}
        onChange={(value) => set({ act: ACTS.find((one) => one === value) })}
        choices={[
          { value: ANY, label: t.anything },
          ...ACTS.map((value) => ({ value, label: acts[value] })),
        ]}
      />
      <Select
        label={t.time}
        value={chosen.span}
        onChange={(span) => set({ span })}
        choices={SPANS.map((value) => ({ value, label: t[value] }))}
      />
      {chosen.span === 'days' && (
        <>
          <TextField
            label={t.first}
            type="date"
            isLatin
            value={chosen.first}
            onChange={(first) => set({ first })}
          />
          <TextField
            label={t.last}
            type="date"
            isLatin
            value={chosen.last}
            onChange={(last) => set({ last })}
            error={isWrong ? t.wrongWay : undefined}
          />
        </>
      )}
      {isChoosing && (
        <PersonDialog
          onClose={() => setChoosing(false)}
          onChoose={(userId) => {
            setChoosing(false);
            set({ userId });
          }}
        />
      )}
    </section>
  );
}
