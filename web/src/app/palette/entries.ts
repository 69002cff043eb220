// Everything that the palette finds: people, channels, topics, views and commands. Pure.
import type { IconName } from '../../ui/icon-paths.ts';
import { textsFor, type TextsOf, type Translations } from '../../i18n/texts.ts';
import { localeOf } from '../../i18n/locale.tsx';
import { people, subscribedChannels, unreadCounts } from '../../state/select.ts';
import { directKey } from '../../state/keys.ts';
import type { State } from '../../state/state.ts';
import { printPlace, SETTINGS_PAGES, WALLET_PAGES, type ListView } from '../addresses.ts';
import { channelHref, conversationHref } from '../../chat/place/address.ts';
import { isResolved, plainTopic } from '../../chat/topics/resolved.ts';
import { texts } from '../texts.ts';
import type { Entry } from './rank.ts';

type ShellTexts = typeof texts extends Translations<infer T> ? TextsOf<T> : never;

export type Command = 'dark' | 'light' | 'system' | 'language' | 'shortcuts' | 'tour' | 'signOut';

export interface PaletteEntry extends Entry {
  readonly icon: IconName;
  readonly isResolved?: boolean;
  readonly act: { readonly href: string } | { readonly command: Command };
}

const LIST_ICONS: Readonly<Record<ListView, IconName>> = {
  inbox: 'inbox',
  recent: 'clock',
  feed: 'feed',
  mentions: 'at',
  starred: 'star',
  drafts: 'draft',
  scheduled: 'schedule',
  people: 'people',
};

const COMMANDS: readonly {
  readonly command: Command;
  readonly name: (t: ShellTexts) => string;
  readonly icon: IconName;
}[] = [
  { command: 'dark', name: (t) => t.switchToDark, icon: 'moon' },
  { command: 'light', name: (t) => t.switchToLight, icon: 'sun' },
  { command: 'system', name: (t) => t.switchToSystem, icon: 'smartphone' },
  { command: 'language', name: (t) => t.otherLanguage, icon: 'globe' },
  { command: 'shortcuts', name: (t) => t.shortcuts, icon: 'help' },
  { command: 'tour', name: (t) => t.tour, icon: 'info' },
  { command: 'signOut', name: (t) => t.signOut, icon: 'signOut' },
];

/** Names in both languages, so that a person finds a view by the word that comes to mind. */
const LANGUAGES = [textsFor(texts, localeOf('en')), textsFor(texts, localeOf('fa'))] as const;
const wordsOf = (name: (t: ShellTexts) => string): readonly string[] => LANGUAGES.map(name);

export function fixedEntries(t: ShellTexts): readonly PaletteEntry[] {
  const lists = Object.entries(LIST_ICONS).map(([view, icon]): PaletteEntry => {
    const list = view as ListView;
    return {
      id: `view:${list}`,
      kind: 'view',
      name: t[list],
      words: wordsOf((one) => one[list]),
      icon,
      act: { href: `/${list}` },
    };
  });
  const places = (['trade'] as const).map((view): PaletteEntry => ({
    id: `view:${view}`,
    kind: 'view',
    name: t[view],
    words: wordsOf((one) => one[view]),
    icon: view,
    act: { href: `/${view}` },
  }));
  const settings = SETTINGS_PAGES.map((page): PaletteEntry => ({
    id: `settings:${page}`,
    kind: 'view',
    name: t[page],
    detail: t.settings,
    words: wordsOf((one) => one[page]),
    icon: 'gear',
    act: { href: `/settings/${page}` },
  }));
  const wallet = WALLET_PAGES.map((page): PaletteEntry => ({
    id: `wallet:${page}`,
    kind: 'view',
    name: t[page],
    detail: t.wallet,
    words: [...wordsOf((one) => one[page]), ...wordsOf((one) => one.wallet)],
    icon: 'wallet',
    act: { href: printPlace({ view: 'wallet', page }) },
  }));
  const commands = COMMANDS.map(({ command, name, icon }): PaletteEntry => ({
    id: `command:${command}`,
    kind: 'command',
    name: name(t),
    words: wordsOf(name),
    icon,
    act: { command },
  }));
  return [...lists, ...places, ...wallet, ...settings, ...commands];
}

/** What the organization has. `usedAt` is the newest message that is known of it. */
export function* stateEntries(state: State, emptyTopic: string): Generator<PaletteEntry> {
  const ownId = state.own.userId;
  for (const person of people(state)) {
    yield {
      id: `person:${person.id}`,
      kind: 'person',
      name: person.fullName,
      detail: person.deliveryEmail ?? person.email,
      usedAt: state.recentDirect.get(directKey(ownId, [person.id]))?.maxId ?? 0,
      icon: person.isBot ? 'code' : 'person',
      act: {
        href: conversationHref(state, { kind: 'direct', userIds: [person.id] }),
      },
    };
  }
  for (const channel of subscribedChannels(state)) {
    yield {
      id: `channel:${channel.id}`,
      kind: 'channel',
      name: channel.name,
      detail: channel.description,
      icon: channel.isPrivate ? 'lock' : channel.isWebPublic ? 'globe' : 'hash',
      act: { href: channelHref(state, channel.id) },
    };
  }
  yield* topicEntries(state, emptyTopic);
}

function* topicEntries(state: State, emptyTopic: string): Generator<PaletteEntry> {
  const seen = new Set<string>();
  const entry = (channelId: number, topic: string, maxId: number): PaletteEntry | undefined => {
    const id = `topic:${channelId}:${topic.toLowerCase()}`;
    const channel = state.channels.get(channelId);
    if (channel === undefined || seen.has(id)) return undefined;
    seen.add(id);
    return {
      id,
      kind: 'topic',
      name: topic === '' ? emptyTopic : plainTopic(topic),
      detail: channel.name,
      usedAt: maxId,
      icon: isResolved(topic) ? 'check' : 'topic',
      isResolved: isResolved(topic),
      act: { href: conversationHref(state, { kind: 'topic', channelId, topic }) },
    };
  };
  for (const [channelId, topics] of state.topics) {
    for (const { name, maxId } of topics) {
      const one = entry(channelId, name, maxId);
      if (one !== undefined) yield one;
    }
  }
  for (const { conversation, lastId } of unreadCounts(state).byConversation.values()) {
    if (conversation.kind !== 'topic') continue;
    const one = entry(conversation.channelId, conversation.topic, lastId);
    if (one !== undefined) yield one;
  }
  for (const { conversation, id } of state.messages.values()) {
    if (conversation.kind !== 'topic') continue;
    const one = entry(conversation.channelId, conversation.topic, id);
    if (one !== undefined) yield one;
  }
}
