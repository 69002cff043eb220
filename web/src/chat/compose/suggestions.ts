// Who and what fits what is being typed, from the state.
import { useMemo } from 'react';
import type { Conversation, Person } from '../../state/entities.ts';
import {
  channelByName,
  channels,
  people,
  recentConversations,
  subscribersOf,
  topicsOf,
} from '../../state/select.ts';
import type { State } from '../../state/state.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { useCatalogue } from '../emoji/catalogue.ts';
import type { Emoji } from '../emoji/emoji.ts';
import { rankCandidates, type Candidate, type Trigger } from './typeahead.ts';

export type Suggestion =
  | { readonly kind: 'person'; readonly person: Person }
  | { readonly kind: 'everybody' }
  | {
      readonly kind: 'channel';
      readonly id: number;
      readonly name: string;
      readonly isPrivate: boolean;
    }
  | { readonly kind: 'topic'; readonly channel: string; readonly topic: string }
  | { readonly kind: 'emoji'; readonly emoji: Emoji };

const SHOWN_MAX = 8;

export function useSuggestions(
  trigger: Trigger | undefined,
  destination: Conversation | undefined,
): readonly Suggestion[] {
  const store = useStore();
  const emoji = useCatalogue(trigger?.kind === 'emoji');
  // Names change seldom; while a list is open, a look at each key is enough.
  const version = useSelect(store, (state) => state.versions.get('topics'));
  return useMemo(
    () => (trigger === undefined ? [] : find(trigger, destination, store.state, emoji)),
    [trigger, destination, store, emoji, version],
  );
}

function find(
  trigger: Trigger,
  destination: Conversation | undefined,
  state: State,
  emoji: readonly Emoji[],
): readonly Suggestion[] {
  const { query } = trigger;
  switch (trigger.kind) {
    case 'person':
      return rankCandidates(peopleOf(destination, state, trigger.isSilent), query, SHOWN_MAX);
    case 'channel':
      return rankCandidates(channelsOf(state), query, SHOWN_MAX);
    case 'topic': {
      const channel = channelByName(state, trigger.channel ?? '');
      if (channel === undefined) return [];
      const candidates = topicsOf(state, channel.id).map(
        ({ name, maxId }): Candidate<Suggestion> => ({
          value: { kind: 'topic', channel: channel.name, topic: name },
          names: [name],
          nearness: maxId,
        }),
      );
      return rankCandidates(candidates, query, SHOWN_MAX);
    }
    case 'emoji': {
      const candidates = emoji.map((one): Candidate<Suggestion> => ({
        value: { kind: 'emoji', emoji: one },
        names: [one.name, ...one.others],
        nearness: one.type === 'realm_emoji' ? 1 : 0,
      }));
      return rankCandidates(candidates, query, SHOWN_MAX);
    }
  }
}

/** Nearest are those who write in the topic, then those of the channel, then those one writes to. */
export function peopleOf(
  destination: Conversation | undefined,
  state: State,
  isSilent: boolean,
): readonly Candidate<Suggestion>[] {
  const recent = new Map<number, number>();
  const key =
    destination?.kind === 'topic'
      ? `c${destination.channelId}:${destination.topic.toLowerCase()}`
      : undefined;
  for (const one of recentConversations(state).slice(0, 50)) {
    const weight = one.key === key ? 8 : one.conversation.kind === 'direct' ? 2 : 1;
    const ids = one.conversation.kind === 'direct' ? one.conversation.userIds : one.senderIds;
    for (const id of ids) recent.set(id, Math.max(recent.get(id) ?? 0, weight));
  }
  const inChannel =
    destination?.kind === 'topic' ? subscribersOf(state, destination.channelId) : new Set<number>();
  const found = people(state).map((person): Candidate<Suggestion> => ({
    value: { kind: 'person', person },
    names: [person.fullName, person.email],
    nearness: (recent.get(person.id) ?? 0) + (inChannel.has(person.id) ? 4 : 0),
    isBot: person.isBot,
  }));
  if (destination?.kind !== 'topic' || isSilent) return found;
  return [
    ...found,
    { value: { kind: 'everybody' }, names: ['all', 'everyone', 'channel', 'همه'], nearness: 0 },
  ];
}

function channelsOf(state: State): readonly Candidate<Suggestion>[] {
  return channels(state)
    .filter(({ isArchived }) => !isArchived)
    .map(({ id, name, isPrivate, subscription }) => ({
      value: { kind: 'channel', id, name, isPrivate },
      names: [name],
      nearness: subscription?.isActive === true ? 1 : 0,
    }));
}

/** What is written for the chosen one. */
export function markdownOf(suggestion: Suggestion, isSilent: boolean, state: State): string {
  switch (suggestion.kind) {
    case 'person': {
      const { fullName, id } = suggestion.person;
      const namesakes = people(state).filter((one) => one.fullName === fullName);
      const name = namesakes.length > 1 ? `${fullName}|${id}` : fullName;
      return `${isSilent ? '@_' : '@'}**${name}**`;
    }
    case 'everybody':
      return '@**all**';
    case 'channel':
      return `#**${suggestion.name}**`;
    case 'topic':
      return `#**${suggestion.channel}>${suggestion.topic}**`;
    case 'emoji':
      return `:${suggestion.emoji.name}:`;
  }
}
