// Where to write: a channel and its topic, or people.
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { Conversation } from '../../state/entities.ts';
import { personOf, subscribedChannels, topicsOf } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TopicName } from '../place/name.tsx';
import type { ComposeBox } from './box.ts';
import { peopleOf } from './suggestions.ts';
import { texts } from './texts.ts';
import { rankCandidates } from './typeahead.ts';

export function ChooseDialog({
  box,
  destination,
}: {
  readonly box: ComposeBox;
  readonly destination: Conversation | undefined;
}) {
  const t = useTexts(texts);
  const store = useStore();
  const channels = useSelect(store, subscribedChannels);
  const [kind, setKind] = useState<string>(destination?.kind ?? 'topic');
  const [channelId, setChannelId] = useState(
    destination?.kind === 'topic' ? destination.channelId : channels[0]?.id,
  );
  const [topic, setTopic] = useState(destination?.kind === 'topic' ? destination.topic : '');
  const [userIds, setUserIds] = useState<readonly number[]>(
    destination?.kind === 'direct' ? destination.userIds : [],
  );
  const topics = useSelect(store, (state) => topicsOf(state, channelId ?? -1));
  const chosen: Conversation | undefined =
    kind === 'direct'
      ? userIds.length === 0
        ? undefined
        : { kind: 'direct', userIds }
      : channelId === undefined
        ? undefined
        : { kind: 'topic', channelId, topic };
  return (
    <Dialog
      title={t.toNobody}
      size="small"
      isOpen
      onOpenChange={() => box.choose(false)}
      actions={
        <Button
          variant="primary"
          isDisabled={chosen === undefined}
          onPress={() => box.setDestination(chosen)}
        >
          {t.done}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <RadioGroup
          label={t.to}
          isLabelHidden
          look="segments"
          isWide
          value={kind}
          onChange={setKind}
          choices={[
            { value: 'topic', label: t.toChannel },
            { value: 'direct', label: t.toPeople },
          ]}
        />
        {kind === 'direct' ? (
          <PeopleField userIds={userIds} onChange={setUserIds} />
        ) : (
          <>
            <Select
              label={t.channel}
              value={channelId === undefined ? null : String(channelId)}
              onChange={(value) => {
                setChannelId(Number(value));
                void store.loadTopics(Number(value));
              }}
              choices={channels.map(({ id, name }) => ({ value: String(id), label: name }))}
            />
            <TextField label={t.topic} value={topic} onChange={setTopic} />
            <div className="flex flex-wrap gap-1">
              {topics.slice(0, 6).map(({ name }) => (
                <Button key={name} size="small" onPress={() => setTopic(name)}>
                  <TopicName topic={name} />
                </Button>
              ))}
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}

function PeopleField({
  userIds,
  onChange,
}: {
  readonly userIds: readonly number[];
  readonly onChange: (ids: readonly number[]) => void;
}) {
  const t = useTexts(texts);
  const store = useStore();
  const [query, setQuery] = useState('');
  const found =
    query === ''
      ? []
      : rankCandidates(peopleOf(undefined, store.state, true), query, 6).flatMap((one) =>
          one.kind === 'person' && !userIds.includes(one.person.id) ? [one.person] : [],
        );
  return (
    <div className="flex flex-col gap-2">
      <ul className="flex flex-wrap gap-1">
        {userIds.map((id) => {
          const name = personOf(store.state, id)?.fullName ?? '';
          return (
            <li key={id} className="flex items-center rounded-full bg-hover ps-3">
              <bdi>{name}</bdi>
              <IconButton
                icon="close"
                size="small"
                label={t.removePerson({ name })}
                onPress={() => onChange(userIds.filter((one) => one !== id))}
              />
            </li>
          );
        })}
      </ul>
      <TextField label={t.findPerson} value={query} onChange={setQuery} autoFocus />
      <div className="flex flex-wrap gap-1">
        {found.map(({ id, fullName }) => (
          <Button
            key={id}
            size="small"
            onPress={() => {
              onChange([...userIds, id]);
              setQuery('');
            }}
          >
            {fullName}
          </Button>
        ))}
      </div>
    </div>
  );
}
