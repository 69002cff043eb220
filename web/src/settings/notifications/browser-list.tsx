// The browsers of this person that are notified, and ending that.
import { writeRecent } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useStore } from '../../state/react.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useAct } from '../use-act.ts';
import { turnPushOff } from '../web-push.ts';
import { texts } from './texts.ts';

export interface NotifiedBrowser {
  readonly endpoint: string;
  readonly device: string;
  readonly created_at: number;
}

export function BrowserList({
  browsers,
  ownEndpoint,
  onChanged,
}: {
  readonly browsers: readonly NotifiedBrowser[];
  readonly ownEndpoint: string | undefined;
  readonly onChanged: () => void;
}) {
  const t = useTexts(texts);
  return (
    <ul aria-label={t.browsers} className="flex flex-col divide-y divide-line border-t border-line">
      {browsers.map((one) => (
        <BrowserRow
          key={one.endpoint}
          browser={one}
          isOwn={one.endpoint === ownEndpoint}
          onRemoved={onChanged}
        />
      ))}
    </ul>
  );
}

function BrowserRow({
  browser: { endpoint, device, created_at: createdAt },
  isOwn,
  onRemoved,
}: {
  readonly browser: NotifiedBrowser;
  readonly isOwn: boolean;
  readonly onRemoved: () => void;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const { chat } = useStore().client;
  const { run, isPending } = useAct();
  const name = device === '' ? t.unknownBrowser : device;
  const time = writeRecent(createdAt * 1000, Date.now(), locale);
  const remove = async () => {
    const act = () => (isOwn ? turnPushOff(chat) : chat.unsubscribeBrowser({ endpoint }));
    if (await run(act, t.removed)) onRemoved();
  };
  return (
    <li className="flex items-center gap-3 py-3">
      <Icon name="globe" className="text-muted" />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex flex-wrap items-center gap-2 font-medium">
          <bdi>{name}</bdi>
          {isOwn && <Badge tone="success">{t.thisBrowser}</Badge>}
        </span>
        <span className="text-small text-muted">{t.since({ time })}</span>
      </div>
      <Button
        size="small"
        isPending={isPending}
        aria-label={t.removeLabel({ name })}
        onPress={() => void remove()}
      >
        {t.remove}
      </Button>
    </li>
  );
}
