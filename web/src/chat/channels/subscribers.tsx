import { useState } from 'react';
import { FailureNotice, FailureState } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { useAsked } from '../../asked/use-asked.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { Channel } from '../../state/entities.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { useToasts } from '../../ui/toasts-context.tsx';
import { PersonLine } from '../people/line.tsx';
import { PeoplePicker } from '../people/picker.tsx';
import { isAtLeast, ADMINISTRATOR, mayAdminister, mayInChannel } from '../rights/rights.ts';
import { texts } from './texts.ts';

const SHOWN_MAX = 300;

export function ChannelSubscribers({ channel }: { readonly channel: Channel }) {
  const t = useTexts(texts);
  const store = useStore();
  const toasts = useToasts();
  const { chat } = store.client;
  const { asked, again, set } = useAsked(`subscribers ${channel.id}`, async (signal) => {
    const answer = await chat.getSubscribers({ stream_id: channel.id }, { signal });
    return answer.subscribers;
  });
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const isAdmin = useSelect(
    store,
    (state) => isAtLeast(state, ADMINISTRATOR) || mayAdminister(state, channel.id),
  );
  const mayAdd = isAdmin || mayInChannel(store.state, channel.id, 'can_add_subscribers_group');
  const mayRemove =
    isAdmin || mayInChannel(store.state, channel.id, 'can_remove_subscribers_group');

  const add = useAct(async () => {
    const answer = await chat.subscribe({
      subscriptions: [{ name: channel.name }],
      principals: chosen,
    });
    set((ids) => [...new Set([...ids, ...chosen])]);
    setChosen([]);
    const added = Object.keys(answer.subscribed).length;
    const already = Object.keys(answer.already_subscribed).length;
    toasts.show({ tone: 'success', text: t.added({ added, already }) });
  });
  const remove = useAct(async (id: number) => {
    await chat.unsubscribe({ subscriptions: [channel.name], principals: [id] });
    set((ids) => ids.filter((one) => one !== id));
  });
  if (asked.state === 'failed') {
    return <FailureState what={t.notLoaded} error={asked.error} onRetry={again} />;
  }
  if (asked.state === 'asking') {
    return (
      <SkeletonGroup>
        {[1, 2, 3, 4].map((n) => (
          <div key={n} className="flex items-center gap-3 py-2">
            <Skeleton className="size-9 rounded-full" />
            <Skeleton className="h-4 w-48" />
          </div>
        ))}
      </SkeletonGroup>
    );
  }
  const ids = asked.value;
  return (
    <div className="flex flex-col gap-4">
      <FailureNotice what={t.notSaved} error={add.error ?? remove.error} />
      {mayAdd && !channel.isArchived && (
        <div className="flex flex-col gap-2">
          <PeoplePicker
            label={t.addSubscribers}
            chosen={chosen}
            onChange={setChosen}
            without={new Set(ids)}
          />
          <Button
            variant="primary"
            className="self-end"
            isDisabled={chosen.length === 0}
            isPending={add.isRunning}
            onPress={() => void add.run()}
          >
            {t.addAct}
          </Button>
        </div>
      )}
      <h2 className="text-title font-semibold">{t.subscribers({ count: ids.length })}</h2>
      <ul className="grid gap-x-4 tablet:grid-cols-2">
        {ids.slice(0, SHOWN_MAX).map((id) => {
          const person = store.state.people.get(id);
          return (
            person !== undefined && (
              <li key={id}>
                <PersonLine
                  person={person}
                  actions={
                    mayRemove && (
                      <IconButton
                        icon="close"
                        size="small"
                        label={t.remove({ name: person.fullName })}
                        onPress={() => void remove.run(id)}
                      />
                    )
                  }
                />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}
