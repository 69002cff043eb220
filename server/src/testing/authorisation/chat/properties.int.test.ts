// Fields that a route does not declare have no effect: extra fields in a request change nothing and are reported as
// ignored, and no answer has an undocumented field. Checked for every route, from the declarations.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { startTestServer } from '../../server.ts';
import { undocumented } from '../../undocumented.ts';
import { EVENT_SHAPES, eventName } from '../../../chat/realtime/events/catalog.ts';
import { encodeForm, type Answer, type FormInput } from '../../chat/client.ts';
import type { ChatRoute } from '../../../chat/http/route.ts';
import { chatRoutes } from '../../../chat/routes.ts';
import { openWorld, type CallerWorld, type World } from './objects.ts';
import { RELATIONS_OF, type Caller } from './relations.ts';
import { addressOf } from './requests/address.ts';
import { REQUESTS } from './requests/all.ts';
import type { Request } from './requests/request.ts';

/** Recognisable anywhere: no id, balance or name in the test equals one of these. */
const WORD = 'cuckooseggword';
const NUMBER = 770_077_007;

/** Names of fields that some route or row of people, bots, channels, messages, organizations and accounts has. */
const WORDS = [
  'email',
  'delivery_email',
  'full_name',
  'api_key',
  'password',
  'password_hash',
  'realm',
  'realm_str',
  'balance',
  'name',
  'sender_full_name',
  'display_recipient',
  'rendered_content',
  'rendered_description',
  'path_id',
  'url',
  'chat_key',
  'fullName',
];
const NUMBERS = [
  'id',
  'user_id',
  'realm_id',
  'owner_id',
  'bot_owner_id',
  'botOwnerId',
  'sender_id',
  'creator_id',
  'recipient_id',
  'account_id',
  'stream_id',
  'message_id',
  'date_created',
  'date_joined',
  'timestamp',
  'upload_quota',
];
/** Flags and roles are not recognisable by value; the test compares the rows of people instead. */
const RAISING: Readonly<Record<string, unknown>> = {
  role: ROLE.owner,
  owner: true,
  is_owner: true,
  is_admin: true,
  is_staff: true,
  is_superuser: true,
  is_billing_admin: true,
  is_bot: false,
  bot_type: 1,
  is_active: true,
  is_guest: false,
  can_create_users: true,
  can_forge_sender: true,
  isAdmin: true,
};

const EXTRA: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(WORDS.map((name) => [name, WORD])),
  ...Object.fromEntries(NUMBERS.map((name) => [name, NUMBER])),
  ...RAISING,
};

/** Requests that the matrix makes only to be refused; here they must succeed. */
const MAKING: Readonly<Record<string, (caller: Caller) => FormInput>> = {
  'create-channel': (caller) => ({ name: `made by ${caller}`, subscribers: [] }),
  'create-profile-field': (caller) => ({ name: `Field of ${caller}`, field_type: 1 }),
  'create-channel-folder': (caller) => ({ name: `Folder of ${caller}`, description: '' }),
  'create-linkifier': (caller) => ({
    pattern: `${caller}(?P<number>[0-9]+)`,
    url_template: 'https://issues.example/{number}',
  }),
  'create-playground': (caller) => ({
    name: `Playground of ${caller}`,
    pygments_language: 'Python',
    url_template: 'https://play.example/{code}',
  }),
};

let world: World;
const problems: string[] = [];

beforeAll(async () => {
  const server = await startTestServer({
    settings: { CHAT_RATE_LIMIT: '1000000', CHAT_RATE_LIMIT_ANONYMOUS: '1000000' },
  });
  world = await openWorld(server);
}, 300_000);
afterAll(() => world.server.close());

const isLast = (route: ChatRoute): boolean =>
  route.name === 'deactivate-own-user' || (REQUESTS[route.name] ?? []).some((one) => one.isLast);
const inOrder = [...chatRoutes].sort((a, b) => Number(isLast(a)) - Number(isLast(b)));
const worldOf = (caller: Caller): CallerWorld => {
  const found = world.worlds.find((one) => one.caller === caller);
  if (found === undefined) throw new Error(`The matrix has no caller ${caller}.`);
  return found;
};

/** Names of the route's parameters, including aliases. */
const namesOf = ({ params }: ChatRoute): Set<string> =>
  new Set(
    Object.entries(params.properties).flatMap(([name, schema]) => [
      name,
      (schema as { 'x-alias'?: string })['x-alias'] ?? name,
    ]),
  );

async function ask(
  route: ChatRoute,
  request: Request,
  one: CallerWorld,
  change: (form: FormInput) => FormInput,
): Promise<Answer> {
  const [relation = 'own'] = (request.relations ?? RELATIONS_OF[request.on]).includes('own')
    ? (['own'] as const)
    : (request.relations ?? []);
  const objects = one.objects[relation];
  const more = { friendId: world.friend.id, unique: `${one.caller}-properties` };
  const making = MAKING[route.name]?.(one.caller);
  const form = change(making ?? request.form?.(objects, more) ?? {});
  const messageId =
    request.message === 'own, elsewhere'
      ? (one.movableIds.pop() ?? 0)
      : (request.message?.(objects) ?? objects.messageId);
  const path = addressOf(route, request, objects, { messageId, friendId: world.friend.id });
  return route.method === 'GET'
    ? one.client.get(path, form)
    : one.client.raw(path, { method: route.method, body: encodeForm(form) });
}

function note(route: ChatRoute, caller: Caller, problem: string, { text }: Answer): void {
  problems.push(`${route.name}, ${caller}: ${problem}; the answer is ${text.slice(0, 300)}`);
}

interface UserFacts {
  readonly id: number;
  readonly role: number;
  readonly botType: number | null;
  readonly botOwnerId: number | null;
  readonly email: string;
}

async function listUserFacts(): Promise<Map<number, UserFacts>> {
  const rows = await world.server.ctx.db
    .selectFrom('users')
    .select(['id', 'role', 'botType', 'botOwnerId', 'email'])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Tables of the whole database that contain the word or the number. */
async function findEggs(): Promise<string[]> {
  const { owner } = world.server;
  const { rows: tables } = await owner.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await owner.query<{ text: string }>(
      `SELECT left(t::text, 300) AS text FROM ${name} t WHERE t::text ~ '${WORD}|${NUMBER}' LIMIT 3`,
    );
    found.push(...rows.map(({ text }) => `${name}: ${text}`));
  }
  return found;
}

it('the search through the database finds a planted value', async () => {
  const { ctx } = world.server;
  const { id } = world.friend;
  const set = (fullName: string) =>
    ctx.db.updateTable('users').set({ fullName }).where('id', '=', id).execute();
  await set(WORD);
  expect(await findEggs()).toEqual([expect.stringContaining('users')]);
  await set(world.friend.fullName);
  expect(await findEggs()).toEqual([]);
});

const COMMON = new Set(['.result', '.msg', '.ignored_parameters_unsupported']);

it('no answer to a read has a field that its route does not document, for any caller', async () => {
  const found = new Set<string>();
  for (const route of chatRoutes) {
    if (route.method !== 'GET') continue;
    for (const request of REQUESTS[route.name] ?? []) {
      for (const one of world.worlds) {
        const { body } = await ask(route, request, one, (form) => form);
        if (body['result'] !== 'success') continue;
        const { events = [], ...rest } = body;
        for (const path of undocumented(rest, route.returns, '')) {
          if (!COMMON.has(path)) found.add(`${route.name}: ${path}`);
        }
        // Each event is documented separately.
        for (const { id: _id, ...event } of events as { id: number; type: string }[]) {
          const shape = EVENT_SHAPES.get(eventName(event));
          if (shape === undefined) found.add(`the event ${eventName(event)}`);
          else for (const path of undocumented(event, shape, event.type)) found.add(path);
        }
      }
    }
  }
  expect([...found]).toEqual([]);
}, 300_000);

/** Adds the fields to every object inside the form as well. */
function infect(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => infect(item));
  if (typeof value !== 'object' || value === null) return value;
  const inside = Object.entries(value).map(([name, item]) => [name, infect(item)] as const);
  return { ...EXTRA, ...Object.fromEntries(inside) };
}

it('extra fields in the objects of a form are refused or dropped, and change nothing', async () => {
  let sent = 0;
  for (const route of inOrder) {
    if (route.method === 'GET' || isLast(route)) continue;
    for (const request of REQUESTS[route.name] ?? []) {
      const before = await listUserFacts();
      const answer = await ask(route, request, worldOf('moderator'), (form) => {
        const infected = Object.entries(form).map(
          ([name, value]) => [name, infect(value)] as const,
        );
        sent += Number(JSON.stringify(infected).includes(WORD));
        return Object.fromEntries(infected);
      });
      if (answer.status >= 500) note(route, 'moderator', 'fails', answer);
      for (const [id, { role }] of await listUserFacts()) {
        const was = before.get(id)?.role ?? ROLE.member;
        if (role !== was) note(route, 'moderator', `makes ${was} to ${role}`, answer);
      }
    }
  }
  expect(sent).toBeGreaterThan(5);
  expect(problems).toEqual([]);
  expect(await findEggs()).toEqual([]);
}, 300_000);

it('extra fields in a write are ignored, and reported as ignored', async () => {
  const served = new Set<string>();
  for (const route of inOrder) {
    if (route.method === 'GET') continue;
    const known = namesOf(route);
    const extra = Object.fromEntries(Object.entries(EXTRA).filter(([name]) => !known.has(name)));
    for (const request of REQUESTS[route.name] ?? []) {
      for (const caller of ['member', 'administrator', 'owner'] as const) {
        const before = await listUserFacts();
        const answer = await ask(route, request, worldOf(caller), (form) => {
          const rest = Object.entries(extra).filter(([name]) => !(name in form));
          return { ...form, ...Object.fromEntries(rest) };
        });
        if (answer.status >= 500) note(route, caller, 'fails', answer);
        if (answer.body['result'] !== 'success') continue;
        served.add(route.name);
        const ignored = answer.body['ignored_parameters_unsupported'] as string[] | undefined;
        const missing = Object.keys(extra).filter((name) => ignored?.includes(name) !== true);
        if (missing.length > 0) note(route, caller, `does not name ${missing.join(', ')}`, answer);
        for (const [id, now] of await listUserFacts()) {
          const was = before.get(id);
          // New people have no earlier row; a role that the route declares may change.
          const changed = (['role', 'botType', 'botOwnerId', 'email'] as const).filter(
            (key) => was !== undefined && was[key] !== now[key] && !mayChange(known, key),
          );
          if (changed.length > 0) note(route, caller, `changes ${changed.join(', ')}`, answer);
          if (was === undefined && now.role === ROLE.owner)
            note(route, caller, 'makes an owner', answer);
        }
      }
    }
  }
  expect(problems).toEqual([]);
  expect(await findEggs()).toEqual([]);
  // The requests really succeeded: all that create something, and most of the others.
  expect(Object.keys(MAKING).filter((name) => !served.has(name))).toEqual([]);
  expect(served.size).toBeGreaterThan(60);
}, 600_000);

const DECLARED_AS: Readonly<Record<string, readonly string[]>> = {
  role: ['role'],
  botType: ['bot_type'],
  botOwnerId: ['bot_owner_id'],
  email: ['email', 'new_email'],
};
const mayChange = (known: ReadonlySet<string>, key: string): boolean =>
  (DECLARED_AS[key] ?? []).some((name) => known.has(name));
