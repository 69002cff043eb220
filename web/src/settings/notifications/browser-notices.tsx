// Notices of browsers: this one on or off, a real one to try, and which others get them.
import { useCallback } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { AskedList } from '../asked.tsx';
import { Section } from '../section.tsx';
import { useAct } from '../use-act.ts';
import { useAsked } from '../use-asked.ts';
import {
  findEndpoint,
  readPushState,
  turnPushOff,
  turnPushOn,
  type PushState,
} from '../web-push.ts';
import { BrowserList, type NotifiedBrowser } from './browser-list.tsx';
import { texts } from './texts.ts';

interface Offer {
  readonly state: PushState;
  /** Empty where the server does not notify browsers. */
  readonly publicKey: string;
  /** Of this browser, while it is notified. */
  readonly endpoint: string | undefined;
  readonly browsers: readonly NotifiedBrowser[];
}

export function BrowserNotices() {
  const t = useTexts(texts);
  const { chat } = useStore().client;
  const ask = useCallback(
    async (signal: AbortSignal): Promise<Offer> => {
      const [{ public_key: publicKey }, { subscriptions: browsers }] = await Promise.all([
        chat.getWebPushKey({}, { signal }),
        chat.getBrowserSubscriptions({}, { signal }),
      ]);
      const [state, endpoint] = [await readPushState(), await findEndpoint()];
      // Removed in another browser: this one still has its half of it, which nobody calls.
      const isKnown = browsers.some((one) => one.endpoint === endpoint);
      return { state: state === 'on' && !isKnown ? 'off' : state, publicKey, endpoint, browsers };
    },
    [chat],
  );
  const [answer, reload] = useAsked(ask);
  return (
    <Section title={t.browser} note={t.browserNote}>
      <AskedList answer={answer} onRetry={reload}>
        {(offer) => (
          <>
            <State offer={offer} onChanged={reload} />
            {offer.browsers.length > 0 && (
              <BrowserList
                browsers={offer.browsers}
                ownEndpoint={offer.endpoint}
                onChanged={reload}
              />
            )}
          </>
        )}
      </AskedList>
    </Section>
  );
}

function State({ offer, onChanged }: { readonly offer: Offer; readonly onChanged: () => void }) {
  const t = useTexts(texts);
  const { chat } = useStore().client;
  const { run, isPending } = useAct();
  const trial = useAct();
  const { state, publicKey, endpoint } = offer;
  if (state === 'unsupported') return <p className="text-muted">{t.unsupported}</p>;
  if (publicKey === '') return <p className="text-muted">{t.notServed}</p>;
  if (state === 'blocked') return <p className="text-muted">{t.blocked}</p>;
  const toggle = async () => {
    await run(() => (state === 'on' ? turnPushOff(chat) : turnPushOn(chat, publicKey)));
    onChanged();
  };
  const test = async () => {
    const isSent = await trial.run(() => chat.testBrowser({ endpoint: endpoint ?? '' }), t.tested);
    // The push service may have said that this browser is gone.
    if (!isSent) onChanged();
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="min-w-0 flex-1">{state === 'on' ? t.on : t.off}</p>
      {state === 'on' && (
        <Button isPending={trial.isPending} onPress={() => void test()}>
          {t.test}
        </Button>
      )}
      <Button
        variant={state === 'on' ? 'secondary' : 'primary'}
        isPending={isPending}
        onPress={() => void toggle()}
      >
        {state === 'on' ? t.turnOff : t.turnOn}
      </Button>
    </div>
  );
}
