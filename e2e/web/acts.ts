// Random acts of several people, through the API, as they happen in a lively organization. An act that the server refuses
// is no fault: people try what they may not do, too.
import { ChatError, type Chat } from '@rialto/sdk';
import type { Random } from '../../server/src/testing/random.ts';

export interface Actor {
  readonly id: number;
  readonly name: string;
  readonly chat: Chat;
}

/** What the acts know of the organization; they add to it as they go. */
export interface World {
  readonly actors: readonly Actor[];
  readonly random: Random;
  readonly channels: { readonly id: number; name: string }[];
  readonly messages: number[];
  readonly groups: number[];
  readonly folders: number[];
  readonly fields: number[];
  readonly others: number[];
  readonly drafts: Map<number, number[]>;
  readonly scheduled: Map<number, number[]>;
  count: number;
}

type Act = (world: World, actor: Actor) => Promise<unknown>;

const TOPICS = ['fees', 'Fees', 'plan', 'حالت بازار', '', 'weekend gap'];
const EMOJI = ['+1', 'heart', 'tada'];
const HOUR = 3600;

const seconds = (): number => Math.floor(Date.now() / 1000);
const recent = ({ messages, random }: World): number => random.pick(messages.slice(-60));
const several = ({ messages, random }: World): number[] =>
  random.shuffled(messages.slice(-80)).slice(0, 1 + random.below(8));
const colleague = ({ actors, random }: World): Actor => random.pick(actors);
const isHeads = ({ random }: World): boolean => random.below(2) === 0;

const textOf = (world: World): string => {
  const { random } = world;
  const mention = ['', `@**${colleague(world).name}** `, '@**all** ', '@**topic** '];
  return `${random.pick([...mention, '', '', ''])}${random.pick(['hello', 'سلام', '**bold**', '/me waves'])} ${random.below(1000)}`;
};

const send: Act = async (world, { chat }) => {
  const { random, channels, messages } = world;
  const { id } = await chat.sendMessage({
    type: 'channel',
    to: random.pick(channels).id,
    topic: random.pick(TOPICS),
    content: textOf(world),
    read_by_sender: true,
  });
  messages.push(id);
};

const sendDirect: Act = async (world, { chat }) => {
  const to = Array.from({ length: 1 + world.random.below(3) }, () => colleague(world).id);
  const { id } = await chat.sendMessage({ type: 'direct', to, content: textOf(world) });
  world.messages.push(id);
};

const edit: Act = (world, { chat }) =>
  chat.updateMessage({ message_id: recent(world), content: textOf(world) });

const retopic: Act = (world, { chat }) =>
  chat.updateMessage({
    message_id: recent(world),
    topic: world.random.pick(TOPICS),
    propagate_mode: world.random.pick(['change_one', 'change_later', 'change_all']),
    send_notification_to_new_thread: isHeads(world),
    send_notification_to_old_thread: isHeads(world),
  });

const move: Act = (world, { chat }) =>
  chat.updateMessage({
    message_id: recent(world),
    stream_id: world.random.pick(world.channels).id,
    topic: world.random.pick(TOPICS),
    propagate_mode: world.random.pick(['change_one', 'change_later', 'change_all']),
  });

const erase: Act = (world, { chat }) => chat.deleteMessage({ message_id: recent(world) });

const react: Act = (world, { chat }) => {
  const params = { message_id: recent(world), emoji_name: world.random.pick(EMOJI) };
  return isHeads(world) ? chat.addReaction(params) : chat.removeReaction(params);
};

const flag: Act = (world, { chat }) =>
  chat.updateMessageFlags({
    messages: several(world),
    op: world.random.pick(['add', 'add', 'remove']),
    flag: world.random.pick(['read', 'read', 'starred']),
  });

const readPlace: Act = (world, { chat }) => {
  const { id } = world.random.pick(world.channels);
  if (world.random.below(12) === 0) return chat.markAllAsRead();
  if (isHeads(world)) return chat.markStreamAsRead({ stream_id: id });
  return chat.markTopicAsRead({ stream_id: id, topic_name: world.random.pick(TOPICS) });
};

const unreadNarrow: Act = (world, { chat }) =>
  chat.updateMessageFlagsForNarrow({
    anchor: String(recent(world)),
    num_before: 0,
    num_after: 20,
    narrow: [{ operator: 'channel', operand: world.random.pick(world.channels).id }],
    op: world.random.pick(['add', 'remove']),
    flag: 'read',
  });

const join: Act = (world, { chat }) =>
  chat.subscribe({
    subscriptions: [{ name: world.random.pick(world.channels).name }],
    ...(isHeads(world) && { principals: [colleague(world).id] }),
  });

const leave: Act = (world, { chat }) =>
  chat.unsubscribe({
    subscriptions: [world.random.pick(world.channels).name],
    ...(isHeads(world) && { principals: [colleague(world).id] }),
  });

const createChannel: Act = async (world, { chat, id }) => {
  const name = `room ${(world.count += 1)}`;
  const subscribers = [id, colleague(world).id, colleague(world).id];
  const isPrivate = isHeads(world);
  const answer = await chat.createChannel({ name, subscribers, invite_only: isPrivate });
  world.channels.push({ id: answer.id, name });
};

const changeChannel: Act = async (world, { chat }) => {
  const channel = world.random.pick(world.channels);
  const name = `room ${(world.count += 1)}`;
  const { random } = world;
  const changes = random.pick([
    { new_name: name },
    { description: `about *${name}*` },
    { is_private: isHeads(world) },
    { topics_policy: random.pick(['inherit', 'allow_empty_topic'] as const) },
    { folder_id: world.folders.length === 0 ? null : random.pick(world.folders) },
    { is_default_stream: isHeads(world) },
    { can_send_message_group: { new: random.pick(world.groups) } },
    { message_retention_days: random.pick([30, 'realm_default']) },
    { is_archived: random.below(3) === 0 },
  ]);
  await chat.updateChannel({ stream_id: channel.id, ...changes });
  if ('new_name' in changes) channel.name = name;
};

const ownChannel: Act = (world, { chat }) => {
  const { id: stream_id } = world.random.pick(world.channels);
  const [property, value] = world.random.pick([
    ['is_muted', isHeads(world)],
    ['pin_to_top', isHeads(world)],
    ['color', '#aabbcc'],
    ['push_notifications', isHeads(world)],
  ] as const);
  return chat.updateSubscriptionSettings({ subscription_data: [{ stream_id, property, value }] });
};

const userTopic: Act = (world, { chat }) =>
  chat.updateUserTopic({
    stream_id: world.random.pick(world.channels).id,
    topic: world.random.pick(TOPICS),
    visibility_policy: world.random.pick([0, 1, 2, 3]),
  });

const folder: Act = async (world, { chat }) => {
  const { folders, random } = world;
  if (folders.length === 0 || random.below(4) === 0) {
    const name = `folder ${(world.count += 1)}`;
    const answer = await chat.createChannelFolder({ name, description: '' });
    folders.push(answer.channel_folder_id);
  } else if (isHeads(world)) {
    const description = `text ${random.below(9)}`;
    await chat.updateChannelFolder({ channel_folder_id: random.pick(folders), description });
  } else await chat.reorderChannelFolders({ order: random.shuffled(folders) });
};

const group: Act = async (world, { chat, id }) => {
  const { groups, random } = world;
  const user_group_id = random.pick(groups);
  switch (random.below(5)) {
    case 0: {
      const name = `group ${(world.count += 1)}`;
      const answer = await chat.createUserGroup({ name, description: '', members: [id] });
      groups.push(answer.group_id);
      break;
    }
    case 1:
      await chat.updateUserGroupMembers({ user_group_id, add: [colleague(world).id] });
      break;
    case 2:
      await chat.updateUserGroupMembers({ user_group_id, delete: [colleague(world).id] });
      break;
    case 3:
      await chat.updateUserGroupSubgroups({ user_group_id, add: [random.pick(groups)] });
      break;
    default:
      await chat.updateUserGroup({ user_group_id, description: `for ${random.below(9)}` });
  }
};

const person: Act = async (world, { chat }) => {
  const { random, others } = world;
  if (others.length < 3) {
    const n = (world.count += 1);
    const full_name = `Newcomer ${n}`;
    const answer = await chat.createUser({
      email: `new${n}@rialto.example`,
      password: `long enough ${n} for anybody`,
      full_name,
    });
    others.push(answer.user_id);
    return;
  }
  const user_id = random.pick(others);
  switch (random.below(4)) {
    case 0:
      await chat.updateUser({ user_id, full_name: `Newcomer ${random.below(100)}` });
      break;
    case 1:
      await chat.updateUser({ user_id, role: random.pick([300, 400, 600]) });
      break;
    case 2:
      await chat.deactivateUser({ user_id });
      break;
    default:
      await chat.reactivateUser({ user_id });
  }
};

const bot: Act = async (world, { chat }) => {
  const n = (world.count += 1);
  const answer = await chat.createBot({ full_name: `Bot ${n}`, short_name: `bot${n}` });
  if (isHeads(world)) await chat.deactivateBot({ bot_id: answer.user_id });
};

const profile: Act = async (world, { chat }) => {
  const { fields, random } = world;
  if (fields.length < 2) {
    const name = `Field ${(world.count += 1)}`;
    fields.push((await chat.createProfileField({ name, field_type: 1 })).id);
  } else {
    const data = [{ id: random.pick(fields), value: random.pick(['a', 'b']) }];
    await chat.updateProfileData({ data });
  }
};

const status: Act = (world, { chat }) =>
  isHeads(world)
    ? chat.updateStatus({ status_text: world.random.pick(['out', '', 'در جلسه']) })
    : chat.updateStatus({ emoji_name: world.random.pick(['coffee', '']) });

const draft: Act = async (world, { chat, id }) => {
  const own = world.drafts.get(id) ?? [];
  world.drafts.set(id, own);
  const draft = {
    type: world.random.pick(['stream', ''] as const),
    to: [world.random.pick(world.channels).id],
    topic: 'plan',
    content: `draft ${world.random.below(100)}`,
    timestamp: seconds() - world.random.below(100),
  };
  if (own.length < 2) own.push(...(await chat.createDrafts({ drafts: [draft] })).ids);
  else if (isHeads(world)) await chat.editDraft({ draft_id: world.random.pick(own), draft });
  else await chat.deleteDraft({ draft_id: own.pop() ?? 0 });
};

const schedule: Act = async (world, { chat, id }) => {
  const own = world.scheduled.get(id) ?? [];
  world.scheduled.set(id, own);
  const at = { scheduled_delivery_timestamp: seconds() + HOUR + world.random.below(HOUR) };
  const content = textOf(world);
  if (own.length < 2) {
    const to = world.random.pick(world.channels).id;
    const answer = await chat.createScheduledMessage({
      type: 'channel',
      to,
      topic: 'plan',
      content,
      ...at,
    });
    own.push(answer.scheduled_message_id);
  } else if (isHeads(world)) {
    await chat.updateScheduledMessage({
      scheduled_message_id: world.random.pick(own),
      content,
      ...at,
    });
  } else await chat.deleteScheduledMessage({ scheduled_message_id: own.pop() ?? 0 });
};

const remind: Act = (world, { chat }) =>
  chat.createMessageReminder({
    message_id: recent(world),
    scheduled_delivery_timestamp: seconds() + HOUR,
    note: 'look again',
  });

const keep: Act = async (world, { chat }) => {
  const title = `snippet ${(world.count += 1)}`;
  const { saved_snippet_id } = await chat.createSavedSnippet({ title, content: 'text' });
  if (isHeads(world)) await chat.editSavedSnippet({ saved_snippet_id, content: 'other' });
  else await chat.deleteSavedSnippet({ saved_snippet_id });
};

const view: Act = async (world, { chat }) => {
  const fragment = world.random.pick(['narrow/is/resolved', 'narrow/has/link', 'narrow/is/dm']);
  await chat.addNavigationView({ fragment, is_pinned: true, name: 'Mine' }).catch(() => undefined);
  if (isHeads(world)) await chat.editNavigationView({ fragment, is_pinned: false });
  else await chat.removeNavigationView({ fragment });
};

const setting: Act = (world, { chat }) =>
  chat.updateSettings(
    world.random.pick([
      { enter_sends: isHeads(world) },
      { color_scheme: world.random.pick([1, 2, 3]) },
      { full_name: colleague(world).name },
    ]),
  );

const organization: Act = (world, { chat }) =>
  isHeads(world)
    ? chat.updateRealmUserSettingsDefaults({ enter_sends: isHeads(world) })
    : chat.updateRealm(
        world.random.pick([
          { description: `The place *${world.random.below(100)}*` },
          { message_content_edit_limit_seconds: world.random.pick([600, 1200]) },
          { default_code_block_language: world.random.pick(['python', 'rust']) },
        ]),
      );

const muteUser: Act = (world, { chat }) => {
  const muted_user_id = colleague(world).id;
  return isHeads(world) ? chat.muteUser({ muted_user_id }) : chat.unmuteUser({ muted_user_id });
};

const linkify: Act = (world, { chat }) =>
  chat.createLinkifier({
    pattern: `#T${(world.count += 1)}-(?P<id>[0-9]+)`,
    url_template: 'https://tickets.example/{id}',
  });

/** The everyday acts come often, the rest now and then. */
const ACTS: readonly (readonly [number, Act])[] = [
  [30, send],
  [12, sendDirect],
  [8, edit],
  [6, retopic],
  [4, move],
  [4, erase],
  [6, react],
  [14, flag],
  [5, readPlace],
  [3, unreadNarrow],
  [5, join],
  [5, leave],
  [2, createChannel],
  [5, changeChannel],
  [4, ownChannel],
  [5, userTopic],
  [2, folder],
  [3, group],
  [3, person],
  [1, bot],
  [2, profile],
  [2, status],
  [4, draft],
  [3, schedule],
  [1, remind],
  [1, keep],
  [1, view],
  [3, setting],
  [2, organization],
  [2, muteUser],
  [1, linkify],
];

const BAG = ACTS.flatMap(([weight, act]) => Array.from({ length: weight }, () => act));

/** One act of somebody; gives its name, and whether the server did it. */
export async function actOnce(world: World): Promise<{ name: string; isDone: boolean }> {
  const act = world.random.pick(BAG);
  const actor = colleague(world);
  const name = `${actor.name}: ${act.name}`;
  try {
    await act(world, actor);
    return { name, isDone: true };
  } catch (error) {
    if (!(error instanceof ChatError) || (error.status ?? 500) >= 500) throw error;
    return { name, isDone: false };
  }
}
