// The fields of profiles that the organization makes itself.
import { useState } from 'react';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { ProfileField } from '../../state/entities.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { choicesOf } from './choices.ts';
import { texts } from './texts.ts';

const KINDS = [1, 2, 3, 4, 5, 6, 8] as const;
/** A list of choices. */
const LIST = 3;

export default function FieldsPage() {
  const t = useTexts(texts);
  const store = useStore();
  const { chat } = store.client;
  const all = useSelect(store, (state) => state.profileFields);
  const [ended, setEnded] = useState<ProfileField>();
  const remove = useAct(async (field: ProfileField) => {
    await chat.deleteProfileField({ field_id: field.id });
    setEnded(undefined);
  });
  const move = useAct((index: number, step: 1 | -1) => {
    const order = all.map(({ id }) => id);
    const [id] = order.splice(index, 1);
    if (id !== undefined) order.splice(index + step, 0, id);
    return chat.reorderProfileFields({ order });
  });
  return (
    <>
      <p className="text-muted">{t.about}</p>
      <FieldForm />
      <FailureNotice what={t.notMoved} error={move.error} />
      {all.length === 0 && <EmptyState icon="person">{t.none}</EmptyState>}
      <ol className="flex flex-col gap-2">
        {all.map((field, index) => (
          <li
            key={field.id}
            className="flex items-center gap-3 rounded-panel border border-line bg-panel px-4 py-2"
          >
            <span className="flex min-w-0 flex-1 flex-col">
              <span className="flex flex-wrap items-center gap-2">
                <bdi className="font-medium">{field.name}</bdi>
                <Badge>{kindName(field.type, t)}</Badge>
                {field.isInSummary && <Badge tone="accent">{t.summary}</Badge>}
              </span>
              <span className="flex text-small text-muted">
                <bdi className="truncate">{field.hint}</bdi>
              </span>
            </span>
            <IconButton
              icon="arrowUp"
              label={t.up}
              isDisabled={index === 0 || move.isRunning}
              onPress={() => void move.run(index, -1)}
            />
            <IconButton
              icon="arrowDown"
              label={t.down}
              isDisabled={index === all.length - 1 || move.isRunning}
              onPress={() => void move.run(index, 1)}
            />
            <IconButton icon="trash" label={t.remove} onPress={() => setEnded(field)} />
          </li>
        ))}
      </ol>
      {ended !== undefined && (
        <ConfirmDialog
          title={t.remove}
          act={t.remove}
          mustType={ended.name}
          isPending={remove.isRunning}
          isOpen
          onOpenChange={(isOpen) => isOpen || setEnded(undefined)}
          onConfirm={() => void remove.run(ended)}
        >
          <FailureNotice what={t.notRemoved} error={remove.error} />
          <p>{t.removeWhat}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function kindName(type: number, t: Readonly<Record<number, string>>): string {
  return t[type] ?? String(type);
}

function FieldForm() {
  const t = useTexts(texts);
  const { chat } = useStore().client;
  const [name, setName] = useState('');
  const [hint, setHint] = useState('');
  const [kind, setKind] = useState<(typeof KINDS)[number]>(1);
  const [lines, setLines] = useState('');
  const [isRequired, setRequired] = useState(false);
  const [isEditable, setEditable] = useState(true);
  const [isInSummary, setInSummary] = useState(false);
  const choices = choicesOf(lines);
  const isMissing = kind === LIST && Object.keys(choices).length === 0;
  const add = useAct(async () => {
    await chat.createProfileField({
      field_type: kind,
      name: name.trim(),
      hint: hint.trim(),
      required: isRequired,
      editable_by_user: isEditable,
      display_in_profile_summary: isInSummary,
      ...(kind === LIST && { field_data: choices }),
    });
    setName('');
    setHint('');
    setLines('');
  });
  return (
    <section
      aria-label={t.add}
      className="flex flex-col gap-4 rounded-panel border border-line bg-panel p-4"
    >
      <FailureNotice what={t.notSaved} error={add.error} />
      <div className="grid gap-4 tablet:grid-cols-2">
        <TextField label={t.name} value={name} onChange={setName} />
        <Select
          label={t.type}
          value={String(kind)}
          onChange={(value) => setKind(KINDS.find((one) => String(one) === value) ?? 1)}
          choices={KINDS.map((one) => ({ value: String(one), label: t[one] }))}
        />
      </div>
      <TextField label={t.hint} value={hint} onChange={setHint} />
      {kind === LIST && (
        <TextArea
          label={t.choices}
          description={t.choicesHelp}
          value={lines}
          onChange={setLines}
          error={lines !== '' && isMissing ? t.choicesMissing : undefined}
        />
      )}
      <div className="flex flex-col">
        <Checkbox isSelected={isRequired} onChange={setRequired}>
          {t.required}
        </Checkbox>
        <Checkbox isSelected={isEditable} onChange={setEditable}>
          {t.editable}
        </Checkbox>
        <Checkbox isSelected={isInSummary} onChange={setInSummary}>
          {t.summary}
        </Checkbox>
      </div>
      <Button
        variant="primary"
        className="self-end"
        isPending={add.isRunning}
        isDisabled={name.trim() === '' || isMissing}
        onPress={() => void add.run()}
      >
        {t.add}
      </Button>
    </section>
  );
}
