// The objects of the matrix. Every caller has its own set: one object of each kind for each relation to the caller. So
// no cell disturbs another.
import { expect } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import { examplePerson, type Person } from '../../example.ts';
import { castBot } from '../../chat/cast.ts';
import type { TestServer } from '../../server.ts';
import { chatClient, type ChatClient, type FormInput } from '../../chat/client.ts';
import { CALLERS, may, type Caller, type Relation } from './relations.ts';
import { Secrets } from './secrets.ts';

/** Everything that a request may name, in one relation to one caller. */
export interface Objects {
  readonly channelId: number;
  readonly channelName: string;
  readonly topic: string;
  /** A secret word in the messages. */
  readonly word: string;
  readonly messageId: number;
  /** Messages that requests may change or delete. */
  readonly spareIds: readonly number[];
  readonly userId: number;
  readonly email: string;
  readonly draftId: number;
  readonly snippetId: number;
  readonly scheduledId: number;
  readonly reminderId: number;
  readonly botId: number;
  readonly groupId: number;
  readonly invitationId: number;
  readonly linkId: number;
  readonly queueId: string;
  /** The part after `/user_uploads/1/` in the URL of a file in a message. */
  readonly filePath: string;
  readonly attachmentId: number;
}

export interface CallerWorld {
  readonly caller: Caller;
  readonly person: Person | undefined;
  client: ChatClient;
  readonly objects: Readonly<Record<Relation, Objects>>;
  /** The caller's own messages, in their own channel, which can be moved. */
  readonly movableIds: number[];
  readonly queues: { id: string; lastEventId: number }[];
}

export interface World {
  readonly server: TestServer;
  readonly secrets: Secrets;
  readonly keeper: Person;
  readonly friend: Person;
  readonly worlds: readonly CallerWorld[];
  /** A message of the keeper for each channel, to act on while everybody listens. */
  readonly keepersIds: ReadonlyMap<number, number>;
}

const SPARES = 3;
const CHANNEL_CASES = ['own', 'shared', 'foreign', 'protected', 'left', 'archived'] as const;
type ChannelCase = (typeof CHANNEL_CASES)[number];

async function sure(answer: ReturnType<ChatClient['get']>): Promise<Record<string, unknown>> {
  const { status, body } = await answer;
  expect({ status, ...body }).toMatchObject({ status: 200, result: 'success' });
  return body;
}

export async function openWorld(server: TestServer): Promise<World> {
  const secrets = new Secrets();
  const olga = await examplePerson(server.ctx, { role: ROLE.owner, fullName: 'Olga who stays' });
  // So that the keeper and every member have their own links.
  await sure(
    chatClient(server, olga).patch('/realm', {
      create_multiuse_invite_group: { new: roleGroupId('role:members') },
    }),
  );
  const keeper = await examplePerson(server.ctx, { fullName: 'Karl Keeper' });
  const friend = await examplePerson(server.ctx, { fullName: 'Fred Friend' });
  const builder = new Builder(server, secrets, keeper, friend);
  const worlds = await Promise.all(
    CALLERS.filter((caller) => caller !== 'anonymous').map((caller) => builder.build(caller)),
  );
  // The anonymous caller asks about the objects of the deactivated one.
  const gone = worlds.find(({ caller }) => caller === 'deactivated');
  if (gone === undefined) throw new Error('The matrix has no deactivated caller.');
  worlds.push({ ...gone, caller: 'anonymous', person: undefined, client: chatClient(server) });
  return { server, secrets, keeper, friend, worlds, keepersIds: builder.keepersIds };
}

class Builder {
  readonly keepersIds = new Map<number, number>();
  readonly #server: TestServer;
  readonly #secrets: Secrets;
  readonly #keeper: Person;
  readonly #friend: Person;
  readonly #byKeeper: ChatClient;

  constructor(server: TestServer, secrets: Secrets, keeper: Person, friend: Person) {
    this.#server = server;
    this.#secrets = secrets;
    this.#keeper = keeper;
    this.#friend = friend;
    this.#byKeeper = chatClient(server, keeper);
    secrets.guard(keeper.chatKey, []);
    secrets.guard(friend.chatKey, []);
  }

  async build(caller: Caller): Promise<CallerWorld> {
    const { ctx } = this.#server;
    // A bot may post where its owner may; this owner has no more rights than the bot.
    const master = caller === 'bot' ? await examplePerson(ctx) : undefined;
    const person = await examplePerson(ctx, {
      fullName: `Caller ${caller}`,
      ...(master !== undefined && { botType: 1, botOwnerId: master.id }),
      ...(caller in ROLE && { role: ROLE[caller as keyof typeof ROLE] }),
    });
    this.#secrets.guard(person.chatKey, [caller]);
    const client = chatClient(this.#server, person);
    const victim = await examplePerson(ctx, { fullName: `Victim of ${caller}` });
    const people = await this.#peopleThings(caller, person, client, victim);
    const objects = { direct: await this.#direct(caller, people.foreign) } as Record<
      Relation,
      Objects
    >;
    for (const channelCase of CHANNEL_CASES) {
      const things =
        channelCase === 'own' || channelCase === 'shared' ? people[channelCase] : people.foreign;
      objects[channelCase] = await this.#channel(caller, channelCase, person, client, things);
    }
    // Opened last, so that it contains no events from before the rights were set.
    const queueId = await this.#queue(client, [caller]);
    objects.own = { ...objects.own, queueId };
    objects.foreign = { ...objects.foreign, queueId: await this.#queue(this.#byKeeper, []) };
    objects.missing = MISSING;
    const movableIds = await this.#movable(caller, person, client);
    if (caller === 'deactivated') {
      await ctx.db
        .updateTable('users')
        .set({ isActive: false })
        .where('id', '=', person.id)
        .execute();
    }
    return { caller, person, client, objects, movableIds, queues: [] };
  }

  async #channel(
    caller: Caller,
    channelCase: ChannelCase,
    person: Person,
    client: ChatClient,
    things: Things,
  ): Promise<Objects> {
    const knows = CALLERS.filter((other) => this.#knows(other, caller, channelCase));
    const reads = CALLERS.filter((other) => this.#reads(other, caller, channelCase));
    const name = this.#secrets.plant('channel', knows);
    const topic = this.#secrets.plant('topic', reads);
    const word = this.#secrets.plant('word', reads);
    const past = this.#secrets.plant('past', reads);
    const isIn = channelCase !== 'foreign' && channelCase !== 'protected';
    const { id } = (await sure(
      this.#byKeeper.post('/channels/create', {
        name,
        description: `About ${this.#secrets.plant('about', knows)}`,
        subscribers: [this.#keeper.id, this.#friend.id, ...(isIn ? [person.id] : [])],
        invite_only: channelCase !== 'shared',
        history_public_to_subscribers: channelCase !== 'protected',
        ...(channelCase === 'own' && {
          can_administer_channel_group: {
            direct_members: [person.id, this.#keeper.id],
            direct_subgroups: [],
          },
        }),
      }),
    )) as { id: number };
    const post = (by: ChatClient, content: string, toTopic = topic) =>
      this.#post(by, { type: 'channel', to: id, topic: toTopic, content });
    const author = channelCase === 'own' ? client : this.#byKeeper;
    const first = await post(author, `${past} as it was`, past);
    await sure(author.patch(`/messages/${first}`, { content: `${word} as it is`, topic }));
    await sure(this.#byKeeper.post(`/messages/${first}/reactions`, { emoji_name: 'tada' }));
    const spareIds: number[] = [];
    for (let n = 0; n < SPARES; n += 1) spareIds.push(await post(author, `${word} ${n}`));
    const keepersId = await post(this.#byKeeper, `${word} by the keeper`);
    const file = await this.#file(author, reads);
    await post(author, `${word} with [a file](/user_uploads/1/${file.filePath})`);
    if (channelCase === 'protected') {
      await sure(
        this.#byKeeper.post('/users/me/subscriptions', {
          subscriptions: [{ name }],
          principals: [person.id],
        }),
      );
    }
    if (channelCase === 'left') {
      await sure(client.delete('/users/me/subscriptions', { subscriptions: [name] }));
    }
    if (channelCase === 'archived') await sure(this.#byKeeper.delete(`/streams/${id}`));
    const objects: Objects = {
      ...MISSING,
      ...things,
      channelId: id,
      channelName: name,
      topic,
      word,
      messageId: first,
      spareIds,
      ...file,
    };
    this.keepersIds.set(id, keepersId);
    return objects;
  }

  /** Channels belong to one caller; of the others, administrators know all of them. */
  #knows(other: Caller, caller: Caller, channelCase: ChannelCase): boolean {
    if (other === 'deactivated' || other === 'anonymous') return false;
    if (other === caller) return may(caller, 'know the channel', channelCase);
    return channelCase === 'shared'
      ? other !== 'guest'
      : other === 'owner' || other === 'administrator';
  }

  #reads(other: Caller, caller: Caller, channelCase: ChannelCase): boolean {
    if (other === 'deactivated' || other === 'anonymous') return false;
    if (other === caller) return may(caller, 'read the message', channelCase);
    return channelCase === 'shared' && other !== 'guest';
  }

  async #direct(caller: Caller, things: Things): Promise<Objects> {
    const word = this.#secrets.plant(`direct`, []);
    const past = this.#secrets.plant(`directpast`, []);
    const to = [this.#friend.id];
    const post = (content: string) => this.#post(this.#byKeeper, { type: 'direct', to, content });
    const messageId = await post(`${past} between us`);
    await sure(
      this.#byKeeper.patch(`/messages/${messageId}`, { content: `${word} between us, ${caller}` }),
    );
    const spareIds: number[] = [];
    for (let n = 0; n < SPARES; n += 1) spareIds.push(await post(`${word} ${n}`));
    const file = await this.#file(this.#byKeeper, []);
    await post(`${word} with [a file](/user_uploads/1/${file.filePath})`);
    return { ...MISSING, ...things, word, messageId, spareIds, ...file };
  }

  async #peopleThings(
    caller: Caller,
    person: Person,
    client: ChatClient,
    victim: Person,
  ): Promise<Record<'own' | 'shared' | 'foreign', Things>> {
    const mayInvite = caller !== 'guest' && caller !== 'bot';
    const own = {
      userId: person.id,
      email: person.email,
      draftId: await this.#draft(client, [caller]),
      snippetId: await this.#snippet(client, [caller]),
      ...(await this.#later(client, person.id, [caller])),
      botId: await this.#bot(person, [caller]),
      groupId: await this.#group(`${caller}s own`, [person.id]),
      ...(await this.#invitations(mayInvite ? client : this.#byKeeper, mayInvite ? [caller] : [])),
    };
    const foreign = {
      userId: this.#friend.id,
      email: this.#friend.email,
      draftId: await this.#draft(this.#byKeeper, []),
      snippetId: await this.#snippet(this.#byKeeper, []),
      ...(await this.#later(this.#byKeeper, this.#keeper.id, [])),
      botId: await this.#bot(this.#friend, []),
      groupId: await this.#group(`foreign to ${caller}`, []),
      ...(await this.#invitations(this.#byKeeper, [])),
    };
    return { own, foreign, shared: { ...foreign, userId: victim.id, email: victim.email } };
  }

  /** Administrators see all of them, with the email addresses and the links. */
  async #invitations(
    by: ChatClient,
    readers: readonly Caller[],
  ): Promise<Pick<Objects, 'invitationId' | 'linkId'>> {
    const known = [...readers, 'owner', 'administrator'] as const;
    const email = `${this.#secrets.plant('invitee', known)}@example.org`;
    await sure(by.post('/invites', { invitee_emails: email, stream_ids: [] }));
    const { invite_link } = await sure(by.post('/invites/multiuse', {}));
    this.#secrets.guard(String(invite_link), known);
    const { invites } = (await sure(by.get('/invites'))) as {
      invites: { id: number; email?: string; link_url?: string }[];
    };
    return {
      invitationId: invites.find((one) => one.email === email)?.id ?? 0,
      linkId: invites.find((one) => one.link_url === invite_link)?.id ?? 0,
    };
  }

  async #post(by: ChatClient, form: FormInput): Promise<number> {
    return Number((await sure(by.post('/messages', form)))['id']);
  }

  /** Its name is as secret as the message that contains it. */
  async #file(
    by: ChatClient,
    readers: readonly Caller[],
  ): Promise<Pick<Objects, 'filePath' | 'attachmentId'>> {
    const body = new FormData();
    body.set('file', new Blob(['kept']), `${this.#secrets.plant('file', readers)}.txt`);
    const { url } = await sure(by.raw('/user_uploads', { method: 'POST', body }));
    const { attachments } = (await sure(by.get('/attachments'))) as {
      attachments: { id: number; path_id: string }[];
    };
    const pathId = String(url).slice('/user_uploads/'.length);
    const attachmentId = attachments.find(({ path_id }) => path_id === pathId)?.id ?? 0;
    return { filePath: pathId.slice('1/'.length), attachmentId };
  }

  async #draft(by: ChatClient, readers: readonly Caller[]): Promise<number> {
    const content = this.#secrets.plant('draft', readers);
    const drafts = [{ type: '', to: [], topic: '', content, timestamp: 1_700_000_000 }];
    const { ids } = (await sure(by.post('/drafts', { drafts }))) as { ids: number[] };
    return ids[0] ?? 0;
  }

  async #snippet(by: ChatClient, readers: readonly Caller[]): Promise<number> {
    const [title, content] = ['title', 'snippet'].map((kind) => this.#secrets.plant(kind, readers));
    const body = await sure(by.post('/saved_snippets', { title, content }));
    return Number(body['saved_snippet_id']);
  }

  /** A scheduled message to oneself, and a reminder. */
  async #later(by: ChatClient, ownId: number, readers: readonly Caller[]) {
    const [content, note] = ['scheduled', 'note'].map((kind) => this.#secrets.plant(kind, readers));
    // The year 2100.
    const at = { scheduled_delivery_timestamp: 4_102_444_800 };
    const toSelf = { type: 'direct', to: [ownId] };
    const scheduled = await sure(by.post('/scheduled_messages', { ...toSelf, content, ...at }));
    const message_id = await this.#post(by, { ...toSelf, content: 'a note' });
    const reminder = await sure(by.post('/reminders', { message_id, note, ...at }));
    return {
      scheduledId: Number(scheduled['scheduled_message_id']),
      reminderId: Number(reminder['reminder_id']),
    };
  }

  /** Administrators manage every bot, so they may have its key. */
  async #bot(owner: Person, readers: readonly Caller[]): Promise<number> {
    const bot = await castBot(this.#server.ctx, owner);
    this.#secrets.guard(bot.chatKey, [...readers, 'owner', 'administrator']);
    return bot.id;
  }

  async #group(name: string, managers: readonly number[]): Promise<number> {
    const body = await sure(
      this.#byKeeper.post('/user_groups/create', {
        name,
        description: 'A group',
        members: [this.#keeper.id],
        can_manage_group: {
          direct_members: [this.#keeper.id, ...managers],
          direct_subgroups: [],
        },
      }),
    );
    return Number(body['group_id']);
  }

  async #queue(by: ChatClient, readers: readonly Caller[]): Promise<string> {
    const body = await sure(by.post('/register', { fetch_event_types: [] }));
    const id = String(body['queue_id']);
    this.#secrets.guard(id, readers);
    return id;
  }

  async #movable(caller: Caller, person: Person, client: ChatClient): Promise<number[]> {
    const { id: to } = (await sure(
      this.#byKeeper.post('/channels/create', {
        name: `desk of ${caller}`,
        subscribers: [person.id],
        invite_only: true,
      }),
    )) as { id: number };
    const ids: number[] = [];
    for (let n = 0; n < CHANNEL_CASES.length + 1; n += 1) {
      const content = `to be moved by ${caller}`;
      ids.push(await this.#post(client, { type: 'channel', to, topic: `note ${n}`, content }));
    }
    return ids;
  }
}

type Things = Pick<
  Objects,
  | 'userId'
  | 'email'
  | 'draftId'
  | 'snippetId'
  | 'scheduledId'
  | 'reminderId'
  | 'botId'
  | 'groupId'
  | 'invitationId'
  | 'linkId'
>;

const NEVER = 900_000_000;
const MISSING: Objects = {
  channelId: NEVER + 1,
  channelName: 'nowheretobefound',
  topic: 'nothingtobefound',
  word: 'nobodysaidthis',
  messageId: NEVER + 2,
  spareIds: Array.from({ length: SPARES }, (_, index) => NEVER + 3 + index),
  userId: NEVER + 20,
  email: 'nobody-at-all@example.com',
  draftId: NEVER + 21,
  snippetId: NEVER + 24,
  scheduledId: NEVER + 25,
  reminderId: NEVER + 26,
  botId: NEVER + 22,
  groupId: NEVER + 23,
  invitationId: NEVER + 30,
  linkId: NEVER + 31,
  queueId: '00000000-0000-4000-8000-000000000000',
  filePath: 'ab/nobodyuploadedthis/nothing.txt',
  attachmentId: NEVER + 25,
};
