// The form of a new key: its name, what it may do, from where, and until when.
import { useState, type FormEvent, type ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { commonTexts } from '../texts.ts';
import { useAct } from '../use-act.ts';
import { addressesIn, ENDS, type Ends } from './parts.tsx';
import { texts } from './texts.ts';

export interface Wanted {
  readonly label: string;
  readonly rights: readonly string[];
  readonly addresses: readonly string[];
  readonly ends: Ends;
}

export interface KeyFormProps {
  readonly title: string;
  readonly rights: readonly { readonly value: string; readonly label: string }[];
  readonly chosen: readonly string[];
  /** Further fields, above the others. */
  readonly children?: ReactNode;
  readonly create: (wanted: Wanted, code: string | undefined) => Promise<void>;
  readonly onClose: () => void;
}

const LABEL_MAX = 64;

export function KeyForm({ title, rights, chosen, children, create, onClose }: KeyFormProps) {
  const t = useTexts(texts);
  const common = useTexts(commonTexts);
  const { run, isPending } = useAct();
  const [label, setLabel] = useState('');
  const [given, setGiven] = useState<ReadonlySet<string>>(() => new Set(chosen));
  const [addresses, setAddresses] = useState('');
  const [ends, setEnds] = useState<Ends>('in90');
  const [isTried, setTried] = useState(false);
  const hasName = label.trim() !== '';
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!hasName || given.size === 0) return;
    const wanted = {
      label: label.trim(),
      rights: [...given],
      addresses: addressesIn(addresses),
      ends,
    };
    if (await run((code) => create(wanted, code))) onClose();
  };
  const toggle = (value: string, isOn: boolean) =>
    setGiven((now) => new Set(isOn ? [...now, value] : [...now].filter((one) => one !== value)));
  return (
    <Dialog title={title} isOpen onOpenChange={onClose}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {children}
        <TextField
          label={t.label}
          description={t.labelNote}
          error={isTried && !hasName ? t.needsName : undefined}
          value={label}
          onChange={setLabel}
          maxLength={LABEL_MAX}
          autoFocus
          isRequired
        />
        <fieldset className="flex flex-col">
          <legend className="text-small font-medium">{t.rights}</legend>
          {rights.map((right) => (
            <Checkbox
              key={right.value}
              isSelected={given.has(right.value)}
              onChange={(isOn) => toggle(right.value, isOn)}
            >
              {right.label}
            </Checkbox>
          ))}
          {isTried && given.size === 0 && (
            <p role="alert" className="text-small text-danger">
              {t.needsRight}
            </p>
          )}
        </fieldset>
        <TextArea
          label={t.addresses}
          description={t.addressesNote}
          value={addresses}
          onChange={setAddresses}
        />
        <Select
          label={t.ends}
          value={ends}
          onChange={setEnds}
          choices={ENDS.map((value) => ({ value, label: t[value] }))}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            {t.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
