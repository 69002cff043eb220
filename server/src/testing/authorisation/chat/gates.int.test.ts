// Calls every route as every kind of caller. The routes come from the served list; the expected results are written
// by hand in rules.ts, so that a mistake in either place shows.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { examplePerson, type Person } from '../../example.ts';
import { startTestServer, type TestServer } from '../../server.ts';
import { chatClient, type Answer } from '../../chat/client.ts';
import type { ChatRoute } from '../../../chat/http/route.ts';
import { chatRoutes } from '../../../chat/routes.ts';
import { CALLERS, type Caller } from './relations.ts';
import { gateFor, MUST_BE_ADMINISTRATOR, RULES } from './rules.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ settings: { CHAT_RATE_LIMIT_ANONYMOUS: '100000' } });
  // An owner who stays, so that no caller is the last one.
  await examplePerson(server.ctx, { role: ROLE.owner });
});
afterAll(() => server.close());

/** A fresh caller for each cell: a route may change or deactivate its caller. */
async function makeCaller(caller: Caller): Promise<Person | undefined> {
  if (caller === 'anonymous') return undefined;
  if (caller === 'bot') return examplePerson(server.ctx, { botType: 1 });
  if (caller !== 'deactivated') return examplePerson(server.ctx, { role: ROLE[caller] });
  const person = await examplePerson(server.ctx);
  await server.ctx.db
    .updateTable('users')
    .set({ isActive: false })
    .where('id', '=', person.id)
    .execute();
  return person;
}

function call({ method, path }: ChatRoute, person: Person | undefined): Promise<Answer> {
  const url = path.replaceAll(/\{\w+(:int)?\}/g, (_part, int?: string) =>
    int === undefined ? 'nobody@example.com' : '999999',
  );
  return chatClient(server, person).raw(url, { method });
}

const GATES = new Set([
  MUST_BE_ADMINISTRATOR,
  'Must be an organization owner',
  'Not allowed for guest users',
  'This endpoint does not accept bot requests.',
]);

it('every route has a rule, and every rule a route', () => {
  expect(Object.keys(RULES).sort()).toEqual(chatRoutes.map(({ name }) => name).sort());
  for (const { name, allow, bots } of chatRoutes) {
    expect({ name, least: allow, bots }).toEqual({ name, ...RULES[name] });
  }
});

describe.each(chatRoutes)('[M072] $method $path', (route) => {
  it.each(CALLERS)('%s', async (caller) => {
    const { status, body } = await call(route, await makeCaller(caller));
    const gate = gateFor(route.name, caller);
    expect(status).toBeLessThan(500);
    if (gate === undefined) {
      expect(body['code']).not.toBe('UNAUTHORIZED');
      expect(GATES.has(String(body['msg']))).toBe(false);
    } else {
      expect(body['msg']).toBe(gate);
      const isIdentity = caller === 'anonymous' || caller === 'deactivated';
      expect(status).toBe(isIdentity ? 401 : 400);
    }
    if (body['result'] === 'success') {
      // The answer has only declared fields.
      const declared = new Set([...Object.keys(route.returns.properties), 'result', 'msg']);
      const isOpen = route.name === 'register-queue';
      if (!isOpen) expect(Object.keys(body).filter((name) => !declared.has(name))).toEqual([]);
    }
  });
});

it('[M199] [M209] a person who is not an administrator gets a refusal with that code', async () => {
  const member = await examplePerson(server.ctx);
  const { status, body } = await chatClient(server, member).delete(`/users/${member.id}`);
  expect(status).toBe(400);
  expect(body).toEqual({
    result: 'error',
    msg: MUST_BE_ADMINISTRATOR,
    code: 'UNAUTHORIZED_PRINCIPAL',
  });
});
