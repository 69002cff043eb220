// Resuming a private stream, and cancelling orders when the connection drops.
import { Type } from 'typebox';
import { refuse } from '../../http/errors.ts';
import { Choice, Count } from '../../values.ts';
import { Followed, operation, type Call } from '../operation.ts';
import { GRACE_MAX_MS } from '../guards/guards.ts';
import { followerOf, topicOf } from './channels.ts';
import { COUNTED } from './follower.ts';

export const resume = operation({
  name: 'resume',
  access: 'private',
  summary:
    'Sends every private push after `fromSeq` once more, then goes on live. It also follows the channels, without snapshots: those that are named, or that the connection follows already, or else `orders`, `my_trades` and `balances`. Error 2011 if they are not kept any more: load the state from the API then. A guard of the same key (`cancel_on_disconnect`) whose connection dropped goes over to this connection.',
  params: Type.Object({
    fromSeq: Type.String({
      pattern: '^[0-9]{1,15}$',
      description: '`streamSeq` of the last push that you have.',
      examples: ['4411'],
    }),
    channels: Type.Optional(
      Type.Array(Choice(COUNTED, 'A counted private channel.'), {
        minItems: 1,
        maxItems: COUNTED.length,
        description: 'Private channels to follow.',
      }),
    ),
  }),
  returns: Type.Object({
    streamSeq: Count('The number of the last push that is sent again.'),
    replayed: Count('How many are sent again.'),
    channels: Type.Array(Type.String(), { description: 'The channels that are followed.' }),
  }),
  errors: ['CURSOR_INVALID', 'PERMISSION_DENIED'],
  async handle({ streams, connection }: Call, { fromSeq, channels }) {
    await streams.own.admit(connection);
    const follower = await followerOf(streams, connection);
    const followed = follower.counted;
    const wanted =
      channels === undefined && followed.length === 0
        ? COUNTED
        : COUNTED.filter((name) => channels?.includes(name) || followed.includes(name));
    const { seq, count, go } = await follower.resume(Number(fromSeq), wanted);
    streams.own.guards.claim(connection);
    const result = { streamSeq: String(seq), replayed: String(count), channels: [...wanted] };
    return new Followed(result, () => {
      go();
      for (const name of wanted) connection.follow(topicOf(follower, name));
    });
  },
});

export const cancelOnDisconnect = operation({
  name: 'cancel_on_disconnect',
  access: 'private',
  summary: `Has the orders that are placed through this connection from now on canceled when it drops (reason \`disconnect\`), after \`graceMs\`, unless the same key resumes before. It holds also when the server's process dies; then it may take a few seconds longer. An orderly \`logout\` cancels nothing. An order without \`clientOrderId\` gets one, by which it is found again.`,
  params: Type.Object({
    enabled: Type.Boolean({ description: 'Whether it is on.' }),
    graceMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: GRACE_MAX_MS,
        description: `Milliseconds after the drop, 0 to ${GRACE_MAX_MS}; 5000 when absent.`,
        examples: ['5000'],
      }),
    ),
  }),
  returns: Type.Object({
    enabled: Type.Boolean(),
    graceMs: Count('Milliseconds after the drop.'),
  }),
  errors: ['PERMISSION_DENIED'],
  async handle({ streams, connection }: Call, { enabled, graceMs = 5000 }) {
    if (connection.identity?.permissions.includes('trade') !== true) {
      throw refuse('PERMISSION_DENIED', "The key lacks the permission 'trade'.", {
        permission: 'trade',
      });
    }
    await streams.own.admit(connection);
    if (enabled) await streams.own.guards.raise(connection, graceMs);
    else await streams.own.guards.drop(connection);
    return { enabled, graceMs: String(enabled ? graceMs : 0) };
  },
});
