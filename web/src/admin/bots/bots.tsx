// The bots of the person, and their keys. A key is asked for only when somebody wants to see it.
import { useState } from 'react';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { PersonLine } from '../../chat/people/line.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { derive } from '../../state/derive.ts';
import type { Person } from '../../state/entities.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CreateBotDialog } from './create-dialog.tsx';
import { texts } from './texts.ts';

/** Those that the server lets the person manage: their own, and all of them for an administrator. */
const managedBots = derive(['people', 'bots'], (state): readonly Person[] =>
  [...state.people.values()]
    .filter(({ id, isBot, isActive, isSystemBot }) => {
      return isBot && isActive && !isSystemBot && state.bots.has(id);
    })
    .sort((a, b) => a.fullName.localeCompare(b.fullName)),
);

type Asking = { readonly act: 'newKey' | 'deactivate'; readonly bot: Person };

export default function BotsPage() {
  const t = useTexts(texts);
  const store = useStore();
  const { chat } = store.client;
  const bots = useSelect(store, managedBots);
  const [isCreating, setCreating] = useState(false);
  const [shown, setShown] = useState<{ readonly name: string; readonly key: string }>();
  const [asking, setAsking] = useState<Asking>();
  const showKey = useAct(async (bot: Person) => {
    const { api_key: key } = await chat.getBotApiKey({ bot_id: bot.id });
    setShown({ name: bot.fullName, key });
  });
  const confirm = useAct(async ({ act, bot }: Asking) => {
    if (act === 'deactivate') await chat.deactivateBot({ bot_id: bot.id });
    else {
      const { api_key: key } = await chat.regenerateBotApiKey({ bot_id: bot.id });
      setShown({ name: bot.fullName, key });
    }
    setAsking(undefined);
  });
  return (
    <>
      <Button variant="primary" icon="add" className="self-start" onPress={() => setCreating(true)}>
        {t.create}
      </Button>
      <FailureNotice what={t.notDone} error={showKey.error} />
      {bots.length === 0 && <EmptyState icon="key">{t.none}</EmptyState>}
      <ul className="flex flex-col gap-2">
        {bots.map((bot) => (
          <li
            key={bot.id}
            className="flex flex-wrap items-center gap-x-3 rounded-panel border border-line bg-panel px-4 py-1.5"
          >
            <div className="min-w-52 flex-1">
              <PersonLine person={bot} note={<bdi dir="ltr">{bot.email}</bdi>} />
            </div>
            <span className="flex flex-wrap gap-1 max-tablet:pb-1.5">
              <Button size="small" icon="key" onPress={() => void showKey.run(bot)}>
                {t.showKey}
              </Button>
              <Button
                size="small"
                variant="quiet"
                onPress={() => setAsking({ act: 'newKey', bot })}
              >
                {t.newKey}
              </Button>
              <Button
                size="small"
                variant="quiet"
                onPress={() => setAsking({ act: 'deactivate', bot })}
              >
                {t.deactivate}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {isCreating && (
        <CreateBotDialog
          onClose={() => setCreating(false)}
          onCreated={(name, key) => {
            setCreating(false);
            setShown({ name, key });
          }}
        />
      )}
      {asking !== undefined && (
        <ConfirmDialog
          title={t[asking.act]}
          act={t[asking.act]}
          {...(asking.act === 'deactivate' && { mustType: asking.bot.fullName })}
          isPending={confirm.isRunning}
          isOpen
          onOpenChange={(isOpen) => isOpen || setAsking(undefined)}
          onConfirm={() => void confirm.run(asking)}
        >
          <FailureNotice what={t.notDone} error={confirm.error} />
          <p>{asking.act === 'deactivate' ? t.deactivateWhat : t.newKeyWhat}</p>
        </ConfirmDialog>
      )}
      {shown !== undefined && (
        <Dialog
          title={t.keyIs({ name: shown.name })}
          size="small"
          isOpen
          onOpenChange={(isOpen) => isOpen || setShown(undefined)}
        >
          <div className="flex flex-col gap-3">
            <p className="text-muted">{t.keyWhat}</p>
            <p className="flex items-center gap-2 rounded-control border border-line bg-field p-3">
              <bdi dir="ltr" className="min-w-0 flex-1 font-mono text-small break-all">
                {shown.key}
              </bdi>
              <CopyButton text={shown.key} label={t.copyKey} />
            </p>
          </div>
        </Dialog>
      )}
    </>
  );
}
