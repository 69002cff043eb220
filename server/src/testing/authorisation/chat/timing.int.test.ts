// Refusing a hidden object takes as long as refusing a missing one, so the time does not reveal whether it exists.
// matrix.int.test.ts shows that the answers are equal.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer } from '../../server.ts';
import { ratioOfTimes } from '../../side-by-side.ts';
import { openWorld, type CallerWorld, type Objects, type World } from './objects.ts';
import { MEASURED } from '../../measured.ts';

/** The largest ratio of medians of alternating requests. */
const RATIO_MAX = 1.5;

let world: World;
let member: CallerWorld;

beforeAll(async () => {
  const server = await startTestServer({
    settings: { CHAT_RATE_LIMIT: '1000000', CHAT_RATE_LIMIT_POLLS: '1000000' },
  });
  world = await openWorld(server);
  member = world.worlds.find(({ caller }) => caller === 'member') as CallerWorld;
}, 300_000);
afterAll(() => world.server.close());

// Files are not among them: their addresses are random, and a refusal for an existing file says so openly.
const ROUTES: Readonly<Record<string, (objects: Objects) => string>> = {
  'a message': ({ messageId }) => `/messages/${messageId}`,
  'a history of edits': ({ messageId }) => `/messages/${messageId}/history`,
  'the list of who read a message': ({ messageId }) => `/messages/${messageId}/read_receipts`,
  'a channel': ({ channelId }) => `/streams/${channelId}`,
  'the list of topics of a channel': ({ channelId }) => `/users/me/${channelId}/topics`,
  'the list of members of a channel': ({ channelId }) => `/streams/${channelId}/members`,
  'the id of a channel by its name': ({ channelName }) => `/get_stream_id?stream=${channelName}`,
  'a queue of events': ({ queueId }) =>
    `/events?queue_id=${queueId}&last_event_id=-1&dont_block=true`,
};

it.each(Object.entries(ROUTES))(
  '%s that is hidden takes as long to refuse as one that does not exist',
  MEASURED,
  async (_name, pathOf) => {
    const { client, objects } = member;
    const hidden = pathOf(objects.foreign);
    const missing = pathOf(objects.missing);
    for (const path of [hidden, missing]) {
      expect((await client.get(path)).body).toMatchObject({ result: 'error' });
    }
    const ratio = await ratioOfTimes(
      () => client.get(hidden),
      () => client.get(missing),
    );
    expect(ratio).toBeLessThan(RATIO_MAX);
  },
);

it('a hidden direct message takes as long to refuse as a missing one', MEASURED, async () => {
  const { client, objects } = member;
  const ratio = await ratioOfTimes(
    () => client.get(`/messages/${objects.direct.messageId}`),
    () => client.get(`/messages/${objects.missing.messageId}`),
  );
  expect(ratio).toBeLessThan(RATIO_MAX);
});
