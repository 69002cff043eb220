// The fields that an organization asks of its people. Each is saved by itself.
import { useState, type FormEvent } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { ProfileField } from '../../state/entities.ts';
import { ownPerson } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Section } from '../section.tsx';
import { commonTexts } from '../texts.ts';
import { useAct } from '../use-act.ts';
import { choicesOf, editorOf } from './field-kinds.ts';
import { texts } from './texts.ts';

export function CustomFields() {
  const t = useTexts(texts);
  const store = useStore();
  const fields = useSelect(store, (state) => state.profileFields);
  const own = useSelect(store, ownPerson);
  if (fields.length === 0) return null;
  const edited = fields.filter((field) => field.isEditableByUser && editorOf(field) !== 'people');
  return (
    <Section title={t.fields} note={t.fieldsNote}>
      <div className="flex max-w-md flex-col gap-5">
        {edited.map((field) => (
          <Field key={field.id} field={field} known={own?.profile[field.id]?.value ?? ''} />
        ))}
      </div>
      {edited.length < fields.length && <p className="text-small text-muted">{t.peopleField}</p>}
    </Section>
  );
}

function Field({ field, known }: { readonly field: ProfileField; readonly known: string }) {
  const t = useTexts(texts);
  const common = useTexts(commonTexts);
  const { chat } = useStore().client;
  const { run, isPending } = useAct();
  const [value, setValue] = useState(known);
  const save = (text: string) => {
    setValue(text);
    const { id } = field;
    void run(
      () =>
        text === ''
          ? chat.removeProfileData({ data: [id] })
          : chat.updateProfileData({ data: [{ id, value: text }] }),
      common.saved,
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(value.trim());
  };
  const description = field.hint === '' ? undefined : field.hint;
  const shared = {
    label: field.name,
    description: field.isRequired && value === '' ? t.required : description,
    className: 'min-w-48 flex-1',
  };
  const editor = editorOf(field);
  if (editor === 'choice') {
    return (
      <Select
        {...shared}
        value={value}
        onChange={save}
        choices={[{ value: '', label: t.nothing }, ...choicesOf(field)]}
      />
    );
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      {editor === 'text' ? (
        <TextArea {...shared} value={value} onChange={setValue} />
      ) : (
        <TextField
          {...shared}
          value={value}
          onChange={setValue}
          type={editor === 'address' ? 'url' : editor === 'date' ? 'date' : 'text'}
          isLatin={editor === 'address'}
        />
      )}
      {value.trim() !== known && (
        <Button type="submit" isPending={isPending}>
          {common.save}
        </Button>
      )}
    </form>
  );
}
