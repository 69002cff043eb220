// Every operation that a client can send.
import { Type } from 'typebox';
import { refuse } from '../http/errors.ts';
import { canonicalName, openTopic } from './channels.ts';
import { Followed, operation, type Call, type Operation } from './operation.ts';
import { login, logout } from './login.ts';
import { ORDER_OPERATIONS } from './order-operations.ts';
import { cancelOnDisconnect, resume } from './private/operations.ts';
import type { Topic } from './connection.ts';

/** Longer than any name of a channel. */
const NAME_CHARACTERS_MAX = 80;
/** More than a connection can follow by default; the setting decides. */
const NAMES_MAX = 1000;

const Channels = (description: string) =>
  Type.Array(Type.String({ maxLength: NAME_CHARACTERS_MAX, examples: ['depth:btcusdt'] }), {
    minItems: 1,
    maxItems: NAMES_MAX,
    description,
  });

const ping = operation({
  name: 'ping',
  access: 'public',
  summary: 'Is answered at once. For clients that cannot send ping frames, such as browsers.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: () => ({}),
});

const subscribe = operation({
  name: 'subscribe',
  access: 'public',
  summary:
    'Follows channels: all of them, or none if one cannot be followed. Each snapshot comes after the answer.',
  params: Type.Object({ channels: Channels('Names of channels.') }),
  returns: Type.Object({
    subscribed: Type.Array(Type.String(), { description: 'The channels of the request.' }),
  }),
  errors: ['UNKNOWN_SYMBOL', 'CHANNEL_LIMIT', 'LOGIN_REQUIRED'],
  async handle({ streams, connection }: Call, { channels }) {
    const limit = streams.ctx.config.STREAM_CHANNELS_MAX;
    const wanted = [...new Set(channels.map(canonicalName))];
    // Names are counted before anything is looked up for them.
    const count = new Set([...connection.topics.keys(), ...wanted]).size;
    if (count > limit) throw tooManyChannels(limit, count);
    const topics: Topic[] = [];
    for (const name of wanted) topics.push(await openTopic(streams, name, connection));
    if (topics.some(({ isRetired }) => isRetired)) throw refuse('UNAVAILABLE', 'Subscribe again.');
    return new Followed({ subscribed: wanted }, () => {
      for (const topic of topics) connection.follow(topic);
    });
  },
});

const tooManyChannels = (limit: number, count: number) =>
  refuse(
    'CHANNEL_LIMIT',
    `A connection follows at most ${limit} channels, and these would be ${count}. Unsubscribe from some, or open another connection.`,
    { limit: String(limit), count: String(count) },
  );

const unsubscribe = operation({
  name: 'unsubscribe',
  access: 'public',
  summary: 'Leaves channels. Names that the connection does not follow are ignored.',
  params: Type.Object({ channels: Channels('Names of channels.') }),
  returns: Type.Object({
    unsubscribed: Type.Array(Type.String(), { description: 'Those that were followed.' }),
  }),
  handle({ connection }: Call, { channels }) {
    return {
      unsubscribed: [...new Set(channels.map(canonicalName))].filter((name) =>
        connection.unfollow(name),
      ),
    };
  },
});

const list = operation({
  name: 'list',
  access: 'public',
  summary: 'The channels that the connection follows.',
  params: Type.Object({}),
  returns: Type.Object({ channels: Type.Array(Type.String()) }),
  handle: ({ connection }: Call) => ({ channels: [...connection.topics.keys()] }),
});

export const OPERATIONS: readonly Operation[] = [
  ping,
  subscribe,
  unsubscribe,
  list,
  login,
  logout,
  resume,
  cancelOnDisconnect,
  ...ORDER_OPERATIONS,
];
