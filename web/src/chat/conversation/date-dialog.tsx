import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { dialogTexts } from './dialog-texts.ts';
import type { Feed } from './feed.ts';
import { texts } from './texts.ts';

/** Asks for a day, and opens the conversation there. */
export default function DateDialog({
  feed,
  onClose,
}: {
  readonly feed: Feed;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const d = useTexts(dialogTexts);
  const [day, setDay] = useState('');
  const at = Date.parse(`${day}T00:00:00`);
  const jump = () => {
    onClose();
    void feed.open({ date: new Date(at).toISOString() });
  };
  return (
    <Dialog
      title={t.jumpToDate}
      size="small"
      isOpen
      onOpenChange={onClose}
      actions={
        <Button variant="primary" isDisabled={Number.isNaN(at)} onPress={jump}>
          {d.jump}
        </Button>
      }
    >
      <TextField label={d.date} type="date" value={day} onChange={setDay} autoFocus />
    </Dialog>
  );
}
