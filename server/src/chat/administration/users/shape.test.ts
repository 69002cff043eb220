import { expect, it } from 'vitest';
import { ROLE, type RoleCode } from '../../../accounts/roles.ts';
import type { Sight } from '../../../accounts/users/sight.ts';
import type { LoggedEvent } from '../../../platform/events/event.ts';
import type { QueueDescription } from '../../../platform/realtime/queue.ts';
import { shapePerson } from './shape.ts';

const logged = (payload: object): LoggedEvent => ({
  position: 1,
  xid: 1n,
  type: 'realm_user',
  payload: JSON.stringify({ type: 'realm_user', ...payload }),
  audience: { everyone: true },
  rightsOf: [],
});

const shaped = (event: LoggedEvent, role: RoleCode, known?: ReadonlySet<number>): unknown[] =>
  shapePerson(event, { userId: 9, filter: {} } as QueueDescription, {
    sightOf: (id): Sight => ({ viewer: { id, role }, host: 'chat.example', known }),
  }).map((text) => JSON.parse(text) as unknown);

const person = { user_id: 7, delivery_email: 'ada@home.example' };

it('an address of which the log does not say who sees it is for nobody', () => {
  const update = logged({ op: 'update', person });
  expect(shaped(update, ROLE.owner)).toEqual([]);
  const timezone = { user_id: 7, email: 'ada@home.example', timezone: 'Asia/Tehran' };
  expect(shaped(logged({ op: 'update', person: timezone }), ROLE.owner)).toMatchObject([
    { person: { email: 'user7@chat.example', timezone: 'Asia/Tehran' } },
  ]);
});

it('says who sees an address to nobody', () => {
  const event = logged({ op: 'update', person, delivery: { owner_id: null, visibility: 3 } });
  const told = { type: 'realm_user', op: 'update', person };
  expect(shaped(event, ROLE.administrator)).toEqual([told]);
  expect(shaped(event, ROLE.member)).toEqual([]);
  const role = { op: 'update', person: { user_id: 7, role: 400 }, delivery: { ends_queues: true } };
  expect(shaped(logged(role), ROLE.member)).toEqual([
    { type: 'realm_user', op: 'update', person: { user_id: 7, role: 400 } },
  ]);
});

it('tells nothing of people whom the viewer does not know, but that they are gone', () => {
  const nobody = new Set([9]);
  const name = { user_id: 7, full_name: 'Ada' };
  expect(shaped(logged({ op: 'update', person: name }), ROLE.guest, nobody)).toEqual([]);
  expect(shaped(logged({ op: 'remove', person: name }), ROLE.guest, nobody)).toMatchObject([
    { op: 'remove', person: name },
  ]);
});
