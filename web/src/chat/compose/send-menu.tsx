import { lazy, Suspense, useState } from 'react';
import { writeMoment } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useStore } from '../../state/react.ts';
import { useAnnouncer } from '../../ui/announcer.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import type { MenuEntry } from '../../ui/menu-entry.ts';
import { useToasts } from '../../ui/toasts-context.tsx';
import type { ComposeBox } from './box.ts';
import { inAnHour, monday, tomorrow } from './later.ts';
import { texts } from './texts.ts';

const TimeDialog = lazy(() =>
  import('../lists/time-dialog.tsx').then((file) => ({ default: file.TimeDialog })),
);

export function SendMenu({
  box,
  canSend,
}: {
  readonly box: ComposeBox;
  readonly canSend: boolean;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const store = useStore();
  const toasts = useToasts();
  const announcer = useAnnouncer();
  const [isAsking, setAsking] = useState(false);
  const schedule = (at: Date) => {
    const { destination, content } = box.view();
    if (destination === undefined) return;
    const place =
      destination.kind === 'topic'
        ? { type: 'channel' as const, to: destination.channelId, topic: destination.topic }
        : { type: 'direct' as const, to: destination.userIds };
    store.client.chat
      .createScheduledMessage({
        ...place,
        content,
        scheduled_delivery_timestamp: Math.floor(at.getTime() / 1000),
      })
      .then(() => {
        const text = t.scheduled({ when: writeMoment(at.getTime(), locale) });
        box.clear();
        toasts.show({ text, tone: 'success' });
        announcer.say(text);
      })
      .catch((error: unknown) =>
        toasts.show({
          text: t.failed({ why: error instanceof Error ? error.message : String(error) }),
          tone: 'danger',
        }),
      );
  };
  const later = (text: string, at: (now: Date) => Date): MenuEntry => ({
    text,
    icon: 'schedule',
    isDisabled: !canSend,
    act: () => schedule(at(new Date())),
  });
  return (
    <>
      <MenuButton
        label={t.sendMenu}
        placement="top end"
        button={(props) => (
          <IconButton {...props} icon="chevronDown" label={t.sendMenu} size="small" />
        )}
        entries={() => [
          later(t.inAnHour, inAnHour),
          later(t.tomorrow, tomorrow),
          later(t.monday, monday),
          { text: t.otherTime, icon: 'clock', isDisabled: !canSend, act: () => setAsking(true) },
          { text: t.discard, icon: 'trash', isDisabled: box.isEmpty, act: () => box.clear() },
        ]}
      />
      {isAsking && (
        <Suspense>
          <TimeDialog
            title={t.scheduleTitle}
            atMs={inAnHour(new Date()).getTime()}
            isPending={false}
            onChoose={(atMs) => {
              setAsking(false);
              schedule(new Date(atMs));
            }}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  );
}
