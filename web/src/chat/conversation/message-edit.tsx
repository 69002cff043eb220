// Changes the text of a message where it stands.
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { Message } from '../../state/entities.ts';
import { useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useActs } from './context.tsx';
import { texts } from './texts.ts';
import { whyOf } from './use-acts.ts';

export function MessageEdit({ message }: { readonly message: Message }) {
  const t = useTexts(texts);
  const acts = useActs();
  const store = useStore();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState<string>();
  const [error, setError] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const { id } = message;
  useEffect(() => {
    let isOn = true;
    store.client.chat
      .getMessage({ message_id: id, apply_markdown: false })
      .then((answer) => isOn && setText(answer.message.content))
      .catch((failure: unknown) => isOn && setError(whyOf(failure)));
    return () => {
      isOn = false;
    };
  }, [store, id]);
  const isLoaded = text !== undefined;
  useEffect(() => {
    const box = field.current;
    if (!isLoaded || box === null) return;
    box.focus();
    box.setSelectionRange(box.value.length, box.value.length);
  }, [isLoaded]);
  const close = () => acts.edit(undefined);
  const save = () => {
    if (text === undefined || isSaving) return;
    setSaving(true);
    setError(undefined);
    store.client.chat
      .updateMessage({ message_id: id, content: text })
      .then(close)
      .catch((failure: unknown) => {
        setSaving(false);
        setError(whyOf(failure));
      });
  };
  return (
    <div className="flex max-w-[50rem] flex-col gap-2 py-1">
      {isLoaded ? (
        <textarea
          ref={field}
          dir="auto"
          aria-label={t.editLabel}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === 'Escape') close();
            else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
          className="field-sizing-content max-h-80 min-h-16 w-full resize-none rounded-control border border-control bg-field px-3 py-2 text-message"
        />
      ) : (
        <Skeleton className="h-16 w-full" />
      )}
      {error !== undefined && (
        <p role="alert" className="text-small text-danger">
          {t.editFailed({ why: error })}
        </p>
      )}
      <div className="flex gap-2">
        <Button
          size="small"
          variant="primary"
          isPending={isSaving}
          isDisabled={!isLoaded}
          onPress={save}
        >
          {t.save}
        </Button>
        <Button size="small" variant="quiet" onPress={close}>
          {t.cancel}
        </Button>
      </div>
    </div>
  );
}
