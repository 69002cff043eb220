// A conversation on paper: who said what, with full times, and what is missing. The list on the screen holds only the rows
// that are seen, so paper gets a list of its own.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { writeMoment } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import type { Conversation, Message } from '../../state/entities.ts';
import { messageOf, personOf } from '../../state/select.ts';
import { useStore } from '../../state/react.ts';
import { useToasts } from '../../ui/toasts-context.tsx';
import { MessageContent } from '../content/message-content.tsx';
import { ContentProvider } from '../content/world.tsx';
import { useContentWorldOf } from '../conversation/content-world.ts';
import { narrowOf } from '../place/address.ts';
import { DestinationName } from '../place/destination.tsx';
import { fetchPrinted, PRINTED_MAX, type Printed } from './fetch.ts';
import './print.css';
import { texts } from './texts.ts';

/** Pictures that come later than this are not waited for. */
const PICTURES_MS = 5000;

/** Fetches the messages, asks the browser to print them, and goes away. */
export default function PrintSheet({
  conversation,
  onClose,
}: {
  readonly conversation: Conversation;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const store = useStore();
  const toasts = useToasts();
  const [printed, setPrinted] = useState<Printed>();
  const given = useRef({ conversation, onClose, t });
  useEffect(() => {
    const { conversation: asked, onClose: close, t: words } = given.current;
    let isOn = true;
    fetchPrinted(store, narrowOf(asked))
      .then((found) => {
        if (isOn) setPrinted(found);
      })
      .catch((error: unknown) => {
        if (!isOn) return;
        const why = error instanceof Error ? error.message : String(error);
        toasts.show({ tone: 'danger', text: words.failed({ why }) });
        close();
      });
    return () => {
      isOn = false;
    };
  }, [store, toasts]);
  useEffect(() => {
    const page = document.querySelector<HTMLElement>('[data-print]');
    if (printed === undefined || page === null) return;
    let isOn = true;
    void picturesOf(page).then(() => {
      if (!isOn) return;
      // It returns when the person has printed, or decided otherwise.
      globalThis.print();
      given.current.onClose();
    });
    return () => {
      isOn = false;
    };
  }, [printed]);
  if (printed === undefined) return null;
  return <Sheet printed={printed} title={<DestinationName destination={conversation} />} />;
}

/** Resolves when the pictures have come, or have not come for long. */
async function picturesOf(page: HTMLElement): Promise<void> {
  const pictures = [...page.querySelectorAll('img')];
  for (const picture of pictures) picture.loading = 'eager';
  await Promise.race([
    Promise.allSettled(pictures.map((picture) => picture.decode())),
    new Promise((resolve) => setTimeout(resolve, PICTURES_MS)),
  ]);
}

export function Sheet({
  printed: { ids, leftOut },
  title,
}: {
  readonly printed: Printed;
  readonly title: ReactNode;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const store = useStore();
  const { state } = store;
  const [nowMs] = useState(() => Date.now());
  const world = useContentWorldOf(store, undefined);
  const messages = ids.flatMap((id) => messageOf(state, id) ?? []);
  return createPortal(
    <ContentProvider world={world}>
      <div data-print="">
        <h1 dir="auto">{title}</h1>
        <p>{t.printedAt({ count: messages.length, time: writeMoment(nowMs, locale) })}</p>
        {leftOut !== undefined && (
          <p>{leftOut === 'older' ? t.older({ max: PRINTED_MAX }) : t.unloaded}</p>
        )}
        {messages.map((message) => (
          <PrintedMessage
            key={message.id}
            message={message}
            sender={personOf(state, message.senderId)?.fullName ?? message.senderName}
          />
        ))}
      </div>
    </ContentProvider>,
    document.body,
  );
}

function PrintedMessage({
  message,
  sender,
}: {
  readonly message: Message;
  readonly sender: string;
}) {
  const locale = useLocale();
  const at = message.sentAt * 1000;
  return (
    <article>
      <h2>
        <bdi>{sender}</bdi>{' '}
        <time dateTime={new Date(at).toISOString()} className="figures font-normal">
          {writeMoment(at, locale)}
        </time>
      </h2>
      <MessageContent html={message.content} message={message} />
    </article>
  );
}
