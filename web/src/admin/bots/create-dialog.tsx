import { useState } from 'react';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { texts } from './texts.ts';

const TYPES = [1, 2, 3] as const;
/** A bot that is called at an address. */
const CALLED = 3;

export function CreateBotDialog({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (name: string, key: string) => void;
}) {
  const t = useTexts(texts);
  const { chat } = useStore().client;
  const [name, setName] = useState('');
  const [short, setShort] = useState('');
  const [type, setType] = useState<(typeof TYPES)[number]>(1);
  const [url, setUrl] = useState('');
  const [isTried, setTried] = useState(false);
  const isUrlWrong = type === CALLED && !/^https?:\/\/\S+$/.test(url.trim());
  const isShortWrong = !/^[a-z][a-z0-9-]*$/.test(short.trim());
  const create = useAct(async () => {
    const { api_key: key } = await chat.createBot({
      full_name: name.trim(),
      short_name: short.trim(),
      bot_type: type,
      ...(type === CALLED && { payload_url: url.trim() }),
    });
    onCreated(name.trim(), key);
  });
  const submit = () => {
    setTried(true);
    if (name.trim() !== '' && !isShortWrong && !isUrlWrong) void create.run();
  };
  return (
    <Dialog
      title={t.create}
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      actions={
        <>
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button variant="primary" isPending={create.isRunning} onPress={submit}>
            {t.create}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FailureNotice what={t.notCreated} error={create.error} />
        <TextField
          label={t.name}
          value={name}
          onChange={setName}
          isRequired
          autoFocus
          error={isTried && name.trim() === '' ? t.nameMissing : undefined}
        />
        <TextField
          label={t.short}
          description={t.shortHelp}
          value={short}
          onChange={setShort}
          isRequired
          isLatin
          error={isTried && isShortWrong ? t.shortWrong : undefined}
        />
        <RadioGroup
          label={t.type}
          value={String(type)}
          onChange={(value) => setType(TYPES.find((one) => String(one) === value) ?? 1)}
          choices={TYPES.map((one) => ({ value: String(one), label: t[one] }))}
        />
        {type === CALLED && (
          <TextField
            label={t.url}
            value={url}
            onChange={setUrl}
            isLatin
            error={isTried && isUrlWrong ? t.urlWrong : undefined}
          />
        )}
      </div>
    </Dialog>
  );
}
