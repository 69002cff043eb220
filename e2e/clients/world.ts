// A real process with a few people and a channel, and the helpers of the client tests: the shapes
// of answers, and a client's event queue.
import { Type, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { expect } from 'vitest';
import { TERMINAL } from '../../server/src/chat/realtime/events/client-needs.ts';
import {
  chatClient,
  type Answer,
  type ChatClient,
  type FormInput,
} from '../../server/src/testing/chat/client.ts';
import { actorsOf, type Actor } from '../../server/src/testing/chat/world.ts';
import { castPeople } from '../../server/src/testing/chat/cast.ts';
import { startDeployment } from '../../server/src/testing/deployment.ts';
import { startRialtoProcess, type RialtoProcess } from '../../server/src/testing/rialto-process.ts';

export const PASSWORD = 'a long enough secret';
export const HARBOUR = 'harbour & quay';

export type Fields = Record<string, unknown>;

export interface ClientsWorld {
  readonly server: RialtoProcess;
  readonly chatUrl: string;
  readonly anyone: ChatClient;
  readonly owner: Actor;
  readonly ada: Actor;
  readonly bob: Actor;
  readonly cyd: Actor;
  /** The channel of Ada, Bob and Cyd. */
  readonly harbour: number;
  person: ReturnType<typeof actorsOf>;
  close(): Promise<void>;
}

export async function openClientsWorld(): Promise<ClientsWorld> {
  const deployment = await startDeployment({
    CHAT_RATE_LIMIT: '100000',
    CHAT_RATE_LIMIT_ANONYMOUS: '100000',
    HEARTBEAT_SECONDS: '1',
  });
  const server = await startRialtoProcess('api,relay', deployment.environment);
  const chatUrl = `${server.origin}/api/v1`;
  const person = actorsOf({ chatUrl }, deployment.ctx);
  const { owner, ada, bob, cyd } = await castPeople(
    (given) => person({ password: PASSWORD, ...given }),
    ['owner', 'ada', 'bob', 'cyd'],
  );
  const subscriptions = [{ name: HARBOUR, description: 'Ships & **boats**' }];
  ok(await ada.client.post('/users/me/subscriptions', { subscriptions }));
  for (const one of [bob, cyd]) {
    ok(await one.client.post('/users/me/subscriptions', { subscriptions: [{ name: HARBOUR }] }));
  }
  const found = ok(await ada.client.get('/get_stream_id', { stream: HARBOUR }));
  return {
    server,
    chatUrl,
    anyone: chatClient({ chatUrl }),
    owner,
    ada,
    bob,
    cyd,
    harbour: Number(found['stream_id']),
    person,
    async close() {
      await server.stop();
      await deployment.close();
    },
  };
}

export function ok({ status, body, text }: Answer): Fields {
  expect({ status, text }).toMatchObject({ status: 200 });
  expect(body).toMatchObject({ result: 'success', msg: '' });
  return body;
}

export function refused(
  { status, body }: Answer,
  expected: { status?: number; code?: string } = {},
) {
  expect(status).toBe(expected.status ?? 400);
  expect(body).toMatchObject({ result: 'error', code: expected.code ?? 'BAD_REQUEST' });
  expect(typeof body['msg']).toBe('string');
  return body;
}

/** Every requested field is there, with a value of its kind. */
export function fits(value: unknown, fields: Readonly<Record<string, TSchema>>): void {
  const wrong = Object.entries(fields).flatMap(([name, schema]) => {
    const held = (value as Fields | undefined)?.[name];
    return Value.Check(schema, held) ? [] : [`${name}: ${JSON.stringify(held)?.slice(0, 200)}`];
  });
  expect(wrong).toEqual([]);
}

export const int = Type.Integer();
export const text = Type.String();
export const bool = Type.Boolean();
export const ids = Type.Array(int);
export const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);
export const group = Type.Union([
  int,
  Type.Object({ direct_members: ids, direct_subgroups: ids }, { additionalProperties: false }),
]);
export const list = (...items: TSchema[]) => Type.Array(items[0] ?? Type.Unknown());
export const object = Type.Record(text, Type.Unknown());

export const post = async (from: Actor, form: FormInput): Promise<number> =>
  Number(ok(await from.client.post('/messages', form))['id']);
export const say = (from: Actor, topic: string, content: string) =>
  post(from, { type: 'stream', to: HARBOUR, topic, content });
export const whisper = (from: Actor, to: readonly Actor[], content: string) =>
  post(from, { type: 'private', to: to.map(({ id }) => id), content });

export const MOBILE = {
  apply_markdown: true,
  client_gravatar: false,
  slim_presence: true,
  idle_queue_timeout: '"mobile"',
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    stream_typing_notifications: true,
    user_settings_object: true,
    include_deactivated_groups: true,
    empty_topic_name: true,
    individual_emoji_changes: true,
  },
};
export const asTerminal = {
  event_types: TERMINAL.eventTypes,
  fetch_event_types: TERMINAL.fetchEventTypes,
  apply_markdown: true,
  client_gravatar: true,
  include_subscribers: true,
  narrow: [],
};

export const register = async ({ client }: Actor, form: FormInput = {}): Promise<Fields> =>
  ok(await client.post('/register', form));

export type ChatEvent = Fields & { readonly id: number; readonly type: string };

export class Queue {
  readonly id: string;
  last: number;
  readonly #client: ChatClient;
  constructor(client: ChatClient, state: Fields) {
    this.#client = client;
    this.id = String(state['queue_id']);
    this.last = Number(state['last_event_id']);
  }
  poll(more: FormInput = {}): Promise<Answer> {
    const asked = { queue_id: this.id, last_event_id: this.last, ...more };
    return this.#client.get('/events', asked);
  }
  /** The next event of this type; earlier events of other types are skipped. */
  async next(type: string, matches: (event: ChatEvent) => boolean = () => true) {
    for (let turn = 0; turn < 30; turn += 1) {
      const events = ok(await this.poll())['events'] as ChatEvent[];
      for (const event of events) {
        fits(event, { id: int, type: text });
        expect(event.id).toBeGreaterThan(this.last);
        this.last = event.id;
        if (event.type === type && matches(event)) return event;
      }
    }
    throw new Error(`No ${type} came.`);
  }
}

export const listen = async (who: Actor, form: FormInput = {}): Promise<Queue> =>
  new Queue(who.client, await register(who, form));

export const USER = {
  user_id: int,
  email: text,
  full_name: text,
  is_bot: bool,
  role: Type.Union([100, 200, 300, 400, 600].map((role) => Type.Literal(role))),
  date_joined: Type.String({ pattern: String.raw`^\d{4}-\d\d-\d\dT` }),
  timezone: text,
  avatar_version: int,
  avatar_url: orNull(text),
  delivery_email: orNull(text),
  bot_type: orNull(int),
  bot_owner_id: orNull(int),
  is_admin: bool,
  is_owner: bool,
  is_guest: bool,
};
export const CHANNEL = {
  stream_id: int,
  name: text,
  description: text,
  rendered_description: text,
  date_created: int,
  invite_only: bool,
  is_web_public: bool,
  history_public_to_subscribers: bool,
  first_message_id: orNull(int),
  message_retention_days: orNull(int),
  stream_weekly_traffic: orNull(int),
  folder_id: orNull(int),
  is_archived: bool,
  topics_policy: text,
  stream_post_policy: Type.Integer({ minimum: 1, maximum: 4 }),
  can_send_message_group: group,
  can_add_subscribers_group: group,
  can_administer_channel_group: group,
  can_remove_subscribers_group: group,
  can_subscribe_group: group,
};
export const SUBSCRIPTION = {
  ...CHANNEL,
  color: Type.String({ pattern: '^#[0-9a-f]{6}$' }),
  pin_to_top: bool,
  is_muted: bool,
  desktop_notifications: orNull(bool),
  audible_notifications: orNull(bool),
  push_notifications: orNull(bool),
  email_notifications: orNull(bool),
  wildcard_mentions_notify: orNull(bool),
};

export const MESSAGE = {
  id: int,
  type: Type.Union([Type.Literal('stream'), Type.Literal('private')]),
  sender_id: int,
  sender_email: text,
  sender_full_name: text,
  sender_realm_str: text,
  avatar_url: orNull(text),
  client: text,
  timestamp: int,
  content: text,
  content_type: text,
  is_me_message: bool,
  reactions: list(),
  submessages: list(),
  topic_links: list(),
  recipient_id: int,
  subject: text,
};

export async function fetchOne(who: Actor, id: number, more: FormInput = {}): Promise<Fields> {
  const form = { anchor: id, num_before: 0, num_after: 0, ...more };
  const { messages } = ok(await who.client.get('/messages', form)) as { messages: Fields[] };
  expect(messages).toHaveLength(1);
  return messages[0] ?? {};
}
