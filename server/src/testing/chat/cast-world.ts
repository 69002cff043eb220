// A server with one person of each role, and the calls that tests of channels, groups and people share.
import { afterAll, beforeAll, expect } from 'vitest';
import { examplePerson, type Person } from '../example.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { checkLoggedShapes } from '../verify-events.ts';
import { castPeople } from './cast.ts';
import { chatClient, type ChatClient, type FormInput } from './client.ts';

const EVERYBODY = ['owner', 'admin', 'member', 'other', 'guest'] as const;

export type Cast = Readonly<Record<(typeof EVERYBODY)[number], Person>>;

/** One person of each role, and a second member. */
export const castEverybody = ({ ctx }: TestServer): Promise<Cast> =>
  castPeople((given) => examplePerson(ctx, given), EVERYBODY);

/** A server with the cast on it. */
export class CastWorld {
  server!: TestServer;
  cast!: Cast;

  /** All of them, from the most to the fewest rights. */
  get all(): readonly Person[] {
    const { owner, admin, member, other, guest } = this.cast;
    return [owner, admin, member, other, guest];
  }

  readonly as = (person: Pick<Person, 'basic'>): ChatClient => chatClient(this.server, person);
  readonly sureAs = (person: Person): SureClient => sure(this.as(person));
}

/** Call it at the top of a test file. At the end, all events are checked against their declared shapes. */
export function useCast(settings: Readonly<Record<string, string>> = {}): CastWorld {
  const world = new CastWorld();
  beforeAll(async () => {
    world.server = await startTestServer({ settings: { CHAT_RATE_LIMIT: '100000', ...settings } });
    world.cast = await castEverybody(world.server);
  });
  afterAll(async () => {
    await checkLoggedShapes(world.server);
    await world.server.close();
  });
  return world;
}

/** Events as `type/op`. */
export const eventNames = (events: readonly { type: string; op?: unknown }[] = []): string[] =>
  events.map(({ type, op }) => (typeof op === 'string' ? `${type}/${op}` : type));

let count = 0;

/** A channel created over the API by `creator`, who is subscribed by default. */
export async function makeChannel(
  server: TestServer,
  creator: Person,
  given: FormInput & { readonly name?: string } = {},
): Promise<{ id: number; name: string }> {
  count += 1;
  const name = given.name ?? `channel ${count}`;
  const { status, body } = await chatClient(server, creator).post('/channels/create', {
    subscribers: [creator.id],
    ...given,
    name,
  });
  expect(body).toMatchObject({ result: 'success' });
  expect(status).toBe(200);
  return { id: Number(body['id']), name };
}

type Sure = (path: string, params?: FormInput) => Promise<Record<string, unknown>>;
export type SureClient = Readonly<Record<'get' | 'post' | 'patch' | 'delete', Sure>>;

/** A client whose calls must succeed. */
export function sure(client: ChatClient): SureClient {
  const checked =
    (method: 'get' | 'post' | 'patch' | 'delete') =>
    async (path: string, params: FormInput = {}): Promise<Record<string, unknown>> => {
      const { status, body } = await client[method](path, params);
      expect({ status, ...body }).toMatchObject({ status: 200, result: 'success' });
      return body;
    };
  return {
    get: checked('get'),
    post: checked('post'),
    patch: checked('patch'),
    delete: checked('delete'),
  };
}
