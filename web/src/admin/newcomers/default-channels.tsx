import { useState } from 'react';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { ChannelMark } from '../../chat/place/name.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { derive } from '../../state/derive.ts';
import type { Channel } from '../../state/entities.ts';
import { channels } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select } from '../../ui/select.tsx';
import { texts } from './texts.ts';

const defaults = derive(['channels', 'defaultChannels'], (state): readonly Channel[] =>
  channels(state).filter(({ id }) => state.defaultChannels.includes(id)),
);
/** The server takes public ones alone. */
const candidates = derive(['channels', 'defaultChannels'], (state): readonly Channel[] =>
  channels(state).filter(
    ({ id, isPrivate, isArchived }) =>
      !isPrivate && !isArchived && !state.defaultChannels.includes(id),
  ),
);

/** The channels to which new members are subscribed; events keep the list. */
export function DefaultChannels({ mayChange }: { readonly mayChange: boolean }) {
  const t = useTexts(texts);
  const store = useStore();
  const { chat } = store.client;
  const all = useSelect(store, defaults);
  const others = useSelect(store, candidates);
  const [chosen, setChosen] = useState<string | null>(null);
  const add = useAct(async (stream_id: number) => {
    await chat.addDefaultChannel({ stream_id });
    setChosen(null);
  });
  const remove = useAct((stream_id: number) => chat.removeDefaultChannel({ stream_id }));
  return (
    <div className="flex flex-col gap-3">
      <FailureNotice what={t.notAdded} error={add.error} />
      <FailureNotice what={t.notRemoved} error={remove.error} />
      {all.length === 0 && <p className="text-muted">{t.noChannels}</p>}
      <ul aria-label={t.channels} className="flex flex-col">
        {all.map((channel) => (
          <li key={channel.id} className="flex min-h-row items-center gap-2">
            <ChannelMark channel={channel} />
            <span className="flex min-w-0 flex-1">
              <bdi className="truncate">{channel.name}</bdi>
            </span>
            {mayChange && (
              <IconButton
                icon="trash"
                label={t.removeChannel({ name: channel.name })}
                isDisabled={remove.isRunning}
                onPress={() => void remove.run(channel.id)}
              />
            )}
          </li>
        ))}
      </ul>
      {mayChange && others.length > 0 && (
        <div className="flex max-w-md items-end gap-2">
          <Select
            label={t.addChannel}
            placeholder={t.chooseChannel}
            value={chosen}
            onChange={setChosen}
            choices={others.map(({ id, name }) => ({ value: String(id), label: name }))}
            className="flex-1"
          />
          <Button
            variant="primary"
            isPending={add.isRunning}
            isDisabled={chosen === null}
            onPress={() => void add.run(Number(chosen))}
          >
            {t.add}
          </Button>
        </div>
      )}
    </div>
  );
}
