// Fills the demo's organization with two weeks of history: through the same actions as requests,
// with past times set through the one function that allows it.
import { accessUser } from '../../../server/src/accounts/users/access.ts';
import type { User } from '../../../server/src/accounts/user.ts';
import { createDrafts } from '../../../server/src/chat/messages/drafts/actions.ts';
import { createFolder } from '../../../server/src/chat/channels/folders/actions.ts';
import { createGroup } from '../../../server/src/chat/administration/groups/actions.ts';
import { editMessage } from '../../../server/src/chat/messages/editing/edit.ts';
import { sendMessage } from '../../../server/src/chat/messages/sending/send.ts';
import { changeOrganization } from '../../../server/src/chat/administration/organization/actions.ts';
import {
  importPast,
  type PastAct,
} from '../../../server/src/chat/administration/past/import-past.ts';
import { addReaction } from '../../../server/src/chat/messages/reactions/actions.ts';
import { changeFlags } from '../../../server/src/chat/messages/read-state/actions.ts';
import { markAllRead } from '../../../server/src/chat/messages/read-state/bulk.ts';
import { changeStatus } from '../../../server/src/chat/people/statuses/actions.ts';
import { addSubmessage } from '../../../server/src/chat/messages/submessages/actions.ts';
import {
  createChannel,
  setProperties,
} from '../../../server/src/chat/channels/subscriptions/actions.ts';
import type { Context, OriginContext } from '../../../server/src/platform/context.ts';
import { HOUR_MS } from '../../../server/src/platform/std/time.ts';
import {
  CHANNELS,
  DRAFTS,
  FOLDERS,
  GROUPS,
  LAST_LOOK_HOURS,
  MUTED,
  PINNED,
  STATUSES,
  type DemoChannel,
} from '../data/channels.ts';
import { PEOPLE, type PersonKey } from '../data/people.ts';
import { THREADS } from '../data/talk/all.ts';
import type { Line, Thread } from '../data/talk/thread.ts';
import { speak } from './timeline.ts';

const BEGIN_MS = 15 * 24 * HOUR_MS;
/** The texts contain only relative links, so any origin will do. */
const ORIGIN = 'http://rialto.invalid';
const KEYS = Object.keys(PEOPLE) as PersonKey[];

interface World {
  readonly users: Readonly<Record<PersonKey, User>>;
  readonly channelIds: Map<string, number>;
  /** Lines that later lines quote. */
  readonly quotable: Map<
    string,
    { readonly id: number; readonly line: Line; readonly path: string }
  >;
}

export async function loadChat(ctx: Context): Promise<void> {
  const users = {} as Record<PersonKey, User>;
  for (const key of KEYS) users[key] = await accessUser(ctx.db, PEOPLE[key].email);
  const world: World = { users, channelIds: new Map(), quotable: new Map() };
  const endMs = Math.floor(ctx.clock.now());
  await importPast(ctx, ORIGIN, [
    ...founding(world, endMs - BEGIN_MS),
    ...THREADS.flatMap((thread) => conversation(world, thread, endMs)),
    ...Object.entries(LAST_LOOK_HOURS).map(([key, hours]): PastAct => ({
      atMs: endMs - hours * HOUR_MS,
      act: (at) => markAllRead(at, users[key as PersonKey]),
    })),
    { atMs: endMs, act: (at) => lastThings(at, world) },
  ]);
}

/** The organization's first hour: settings, folders, channels and groups, each by its creator. */
function founding({ users, channelIds }: World, beginMs: number): PastAct[] {
  const folderIds = new Map<string, number>();
  const idOf = (key: PersonKey) => users[key].id;
  const acts: ((at: OriginContext) => Promise<unknown>)[] = [
    (at) =>
      changeOrganization(at, users.marco, {
        settings: {
          description: 'A small venue with a large chat. Everything here is made up.',
          enable_spectator_access: true,
        },
        permissions: {},
      }),
    ...FOLDERS.map((folder) => async (at: OriginContext) => {
      folderIds.set(folder.name, await createFolder(at, users.marco, folder));
    }),
    ...CHANNELS.map((channel, index) => async (at: OriginContext) => {
      const id = await createChannel(
        at,
        users[channel.creator],
        channel.name,
        membersOf(channel).map(idOf),
        {
          description: channel.description,
          folder_id: folderIds.get(channel.folder),
          is_default_stream: channel.isDefault,
          announce: true,
          ...privacyOf(channel),
        },
      );
      channelIds.set(channel.name, id);
      // From now on the bot announces channels in the first one.
      if (index > 0) return;
      const settings = { new_stream_announcements_stream_id: id };
      await changeOrganization(at, users.marco, { settings, permissions: {} });
    }),
    ...GROUPS.map(
      ({ name, description, creator, members }) =>
        (at: OriginContext) =>
          createGroup(at, users[creator], {
            name,
            description,
            memberIds: members.map(idOf),
            subgroupIds: [],
            permissions: {},
          }),
    ),
  ];
  return acts.map((act, index) => ({ atMs: beginMs + index * 60_000, act }));
}

const membersOf = ({ members }: DemoChannel): readonly PersonKey[] =>
  members === 'everyone' ? KEYS.filter((key) => PEOPLE[key].role !== 'guest') : members;

function privacyOf({ kind = 'public' }: DemoChannel) {
  switch (kind) {
    case 'web-public':
      return { is_web_public: true };
    case 'shared':
      return { invite_only: true, history_public_to_subscribers: true };
    case 'protected':
      return { invite_only: true, history_public_to_subscribers: false };
    default:
      return {};
  }
}

function conversation(world: World, thread: Thread, endMs: number): PastAct[] {
  const { lines, resolvedMs } = speak(thread, endMs);
  let lastId = 0;
  const acts = lines.map(({ atMs, line }): PastAct => ({
    atMs,
    act: async (at) => {
      lastId = await say(at, world, thread, line);
    },
  }));
  const { resolved, to } = thread;
  if (resolved === undefined || !('channel' in to)) return acts;
  const act = (at: OriginContext) =>
    editMessage(at, world.users[resolved.by], lastId, {
      content: undefined,
      topic: `✔ ${to.topic}`,
      channelId: undefined,
      propagateMode: 'change_all',
      prevContentSha256: undefined,
      tellsOldThread: false,
      tellsNewThread: true,
    });
  return [...acts, { atMs: resolvedMs, act }];
}

const QUOTE = /\{\{quote (\w+)\}\}/g;

async function say(at: OriginContext, world: World, { to }: Thread, line: Line): Promise<number> {
  const [who, , text, more = {}] = line;
  const { users, quotable } = world;
  const content = text.replaceAll(QUOTE, (_all, key: string) => quote(world, key));
  const { id, path } = await sendMessage(at, users[who], {
    ...addressOf(world, who, to),
    content,
    client: who === 'bot' ? 'desk-bot' : 'website',
    readBySender: undefined,
    queueId: undefined,
    localId: undefined,
  });
  if (more.key !== undefined) quotable.set(more.key, { id, line, path });
  for (const [emoji, people] of Object.entries(more.react ?? {})) {
    for (const one of people) {
      await addReaction(at, users[one], id, { name: emoji, code: undefined, type: undefined });
    }
  }
  for (const [option, people] of Object.entries(more.votes ?? {})) {
    const vote = JSON.stringify({ type: 'vote', key: `canned,${option}`, vote: 1 });
    for (const one of people) await addSubmessage(at, users[one], id, 'widget', vote);
  }
  for (const one of more.starredBy ?? []) {
    await changeFlags(at, users[one], [id], 'add', 'starred');
  }
  return id;
}

function addressOf({ users, channelIds }: World, who: PersonKey, to: Thread['to']) {
  if ('channel' in to) {
    const channelId = channelIds.get(to.channel);
    return { type: 'channel', to: JSON.stringify(channelId), topic: to.topic } as const;
  }
  const others = to.people.filter((one) => one !== who).map((one) => users[one].id);
  return { type: 'direct', to: JSON.stringify(others), topic: undefined } as const;
}

/** Formats a quote as clients do: who said it, with a link to it. */
function quote({ users, quotable }: World, key: string): string {
  const quoted = quotable.get(key);
  if (quoted === undefined) throw new Error(`Nothing has been said yet that is called ${key}.`);
  const [who, , text] = quoted.line;
  const { fullName, id } = users[who];
  return `@_**${fullName}|${id}** [said](${quoted.path}):\n\`\`\`\`quote\n${text}\n\`\`\`\``;
}

/** The people's final state: statuses, muted and pinned items, unfinished drafts. */
async function lastThings(at: OriginContext, { users, channelIds }: World): Promise<void> {
  const idOf = (name: string) => channelIds.get(name) ?? 0;
  const set = (who: PersonKey, channel: string, property: string) =>
    setProperties(at, users[who], [{ stream_id: idOf(channel), property, value: true }]);
  for (const { who, channel } of MUTED) await set(who, channel, 'is_muted');
  for (const { who, channel } of PINNED) await set(who, channel, 'pin_to_top');
  for (const { who, text, emoji } of STATUSES) {
    await changeStatus(at, users[who], users[who].id, { status_text: text, emoji_name: emoji });
  }
  for (const { author, to, content } of DRAFTS) {
    const address =
      'channel' in to
        ? { type: 'stream' as const, to: [idOf(to.channel)], topic: to.topic }
        : { type: 'private' as const, to: [users[to.person].id], topic: '' };
    await createDrafts(at, users[author], [{ ...address, content }]);
  }
}
