// What became of the latest clicks, below the form.
import { useEffect, useRef } from 'react';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useAnnouncer } from '../../ui/announcer.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Reference } from '../../ui/error-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { sizeText } from '../form/words.ts';
import { texts as formTexts } from '../form/texts.ts';
import { useMarket } from '../venue/react.ts';
import { isSettled, type Intent } from './machine.ts';
import { useIntentList, useIntents } from './react.ts';
import { texts } from './texts.ts';
import { intentState, toneOf } from './words.ts';

const SHOWN = 4;

export function IntentStatus() {
  const t = useTexts(texts);
  const { symbol } = useMarket();
  const list = useIntentList().filter(({ placement }) => placement.params.symbol === symbol);
  useAnnouncement(list[0]);
  if (list.length === 0) return null;
  return (
    <ul aria-label={t.title} className="flex flex-col gap-2">
      {list.slice(0, SHOWN).map((intent) => (
        <Status key={intent.id} intent={intent} />
      ))}
    </ul>
  );
}

function useName(): (intent: Intent) => string {
  const form = useTexts(formTexts);
  const market = useMarket();
  const locale = useLocale();
  return ({ placement }) =>
    form.act({ side: placement.params.side, size: sizeText(placement, market, locale) });
}

function Status({ intent }: { readonly intent: Intent }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const intents = useIntents();
  const nameOf = useName();
  const { phase, refusal } = intent;
  const why = phase === 'absent' ? t.absentWhy : phase === 'checking' ? t.checkingWhy : undefined;
  const isLong = phase === 'rejected';
  return (
    <li
      data-intent={phase}
      className="flex items-start gap-2 rounded-control border border-line bg-panel px-2.5 py-2 text-small"
    >
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1">
          <span>{nameOf(intent)}</span>
          {!isLong && <Badge tone={toneOf(intent)}>{intentState(intent, locale)}</Badge>}
        </span>
        {isLong && <span className="text-danger">{intentState(intent, locale)}</span>}
        {why !== undefined && <span className="text-muted">{why}</span>}
        {isLong && refusal?.reference !== undefined && <Reference reference={refusal.reference} />}
      </div>
      {isSettled(intent) && (
        <IconButton
          icon="close"
          size="small"
          label={t.dismiss}
          onPress={() => intents.dismiss(intent.id)}
        />
      )}
    </li>
  );
}

/** Readers hear each state of the latest order once; a rejection at once. */
function useAnnouncement(intent: Intent | undefined): void {
  const t = useTexts(texts);
  const locale = useLocale();
  const announcer = useAnnouncer();
  const nameOf = useName();
  const said = useRef('');
  useEffect(() => {
    if (intent === undefined || intent.phase === 'sending') return;
    const state = intentState(intent, locale);
    const key = `${intent.id} ${state}`;
    if (said.current === key) return;
    said.current = key;
    const text = t.announce({ order: nameOf(intent), state });
    if (intent.phase === 'rejected') announcer.rejected(text);
    else announcer.say(text);
  });
}
