import { useEffect, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { useStore } from '../../state/react.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { MessageContent } from '../content/message-content.tsx';
import { texts } from './texts.ts';

/** How the server would show the text. */
export function Preview({ content }: { readonly content: string }) {
  const t = useTexts(texts);
  const store = useStore();
  const [html, setHtml] = useState<string>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    let isOn = true;
    if (content.trim() === '') return;
    store.client.chat
      .renderMessage({ content })
      .then(({ rendered }) => isOn && setHtml(rendered))
      .catch(
        (failure: unknown) => isOn && setError(failure instanceof Error ? failure.message : ''),
      );
    return () => {
      isOn = false;
    };
  }, [store, content]);
  return (
    <div data-preview="" className="max-h-[40dvh] min-h-10 overflow-y-auto px-1 py-2">
      {error !== undefined ? (
        <p role="alert" className="text-danger">
          {t.previewFailed({ why: error })}
        </p>
      ) : content.trim() === '' ? (
        <p className="text-muted">{t.previewEmpty}</p>
      ) : html === undefined ? (
        <Skeleton className="h-5 w-1/2" />
      ) : (
        <MessageContent
          html={html}
          message={{ id: 0, senderId: store.state.own.userId, isMe: content.startsWith('/me ') }}
        />
      )}
    </div>
  );
}
