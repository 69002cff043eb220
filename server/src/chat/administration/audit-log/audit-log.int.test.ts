// The audit log over HTTP: who may read it, its pages, its filters, and what it does not tell.
import { expect, it } from 'vitest';
import { useCast } from '../../../testing/chat/cast-world.ts';
import type { ShownEntry } from './shape.ts';

const world = useCast();

interface Page {
  readonly entries: readonly ShownEntry[];
  readonly next_before: number | null;
}

const read = async (
  params: Readonly<Record<string, string | number>> = {},
  reader = world.cast.admin,
): Promise<Page> => {
  const query = new URLSearchParams(
    Object.entries(params).map(([name, value]) => [name, String(value)]),
  );
  const { status, body } = await world.as(reader).get(`/audit_log?${query}`);
  expect(status).toBe(200);
  return body as unknown as Page;
};

const describeAs = (text: string, person = world.cast.owner) =>
  world.as(person).patch('/realm', { description: text });

it('is for administrators and owners alone', async () => {
  const { owner, admin, member, guest } = world.cast;
  for (const person of [member, guest]) {
    const { status, body } = await world.as(person).get('/audit_log');
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
    expect(body).not.toHaveProperty('entries');
  }
  for (const person of [owner, admin]) expect((await read({}, person)).entries).toBeDefined();
});

it('tells who changed what, with the values before and after', async () => {
  await describeAs('Before.');
  await describeAs('After.');
  const { entries } = await read({ act: 'org setting', limit: 1 });
  expect(entries).toMatchObject([
    {
      user_id: world.cast.owner.id,
      via: 'key',
      act: 'org setting',
      outcome: 'done',
      before: { description: 'Before.' },
      after: { description: 'After.' },
    },
  ]);
});

it('has pages that neither overlap nor leave anything out', async () => {
  for (let n = 0; n < 7; n += 1) await describeAs(`Text ${n}`);
  const whole = (await read({ limit: 100 })).entries.map(({ id }) => id);
  const paged: number[] = [];
  let before: number | null = null;
  do {
    const page: Page = await read({ limit: 3, ...(before !== null && { before }) });
    expect(page.entries.length).toBeLessThanOrEqual(3);
    paged.push(...page.entries.map(({ id }) => id));
    before = page.next_before;
    // What is written meanwhile stands before the first page.
    await describeAs(`Meanwhile ${paged.length}`);
  } while (before !== null);
  expect(paged).toEqual(whole);
  expect(new Set(paged).size).toBe(paged.length);
});

it('is found by person, act and time', async () => {
  const { admin, owner } = world.cast;
  const from = Math.floor(Date.now() / 1000);
  await describeAs('By the administrator.', admin);
  const own = await read({ user_id: admin.id, limit: 100 });
  expect(own.entries.length).toBeGreaterThan(0);
  expect(new Set(own.entries.map(({ user_id }) => user_id))).toEqual(new Set([admin.id]));
  const theirs = await read({ user_id: owner.id, limit: 100 });
  expect(theirs.entries.every(({ user_id }) => user_id === owner.id)).toBe(true);
  const since = await read({ since: from, limit: 100 });
  expect(since.entries.map(({ id }) => id)).toContain(own.entries[0]?.id);
  expect(since.entries.every(({ timestamp }) => timestamp >= from)).toBe(true);
  expect((await read({ since: from + 3600 })).entries).toEqual([]);
  expect((await read({ until: 1 })).entries).toEqual([]);
  expect((await read({ act: 'domain add' })).entries).toEqual([]);
});

it('refuses what is out of bounds, and teaches the bounds', async () => {
  const client = world.as(world.cast.owner);
  for (const query of [
    'limit=0',
    'limit=101',
    'before=0',
    'before=-3',
    'user_id=99999999999',
    'since=5&until=5',
    'until=99999999999999',
    'act=session+begin',
    'act=ledger+credit',
  ]) {
    const { status, body } = await client.get(`/audit_log?${query}`);
    expect([query, status, body['result']]).toEqual([query, 400, 'error']);
  }
});

it('tells nothing of how accounts are secured, and no address that is hidden', async () => {
  const { admin, other, owner } = world.cast;
  await world.as(other).patch('/settings', { email_address_visibility: 4 });
  await world.as(owner).patch(`/users/${other.id}`, { full_name: 'Renamed Person' });
  await world.as(owner).patch(`/users/${other.id}`, { role: 300 });
  const { entries } = await read({ limit: 100 }, admin);
  const about = entries.filter(({ subject_user_id }) => subject_user_id === other.id);
  expect(about.map(({ act }) => act)).toEqual(
    expect.arrayContaining(['user rename', 'user set_role']),
  );
  const text = JSON.stringify(entries);
  expect(text).not.toContain(other.email);
  expect(text).not.toMatch(/"(from|request|hash|api_?key|password)"/i);
  expect(entries.some(({ act }) => /^(session|factor|password|chat_key|operator) /.test(act))).toBe(
    false,
  );
});

it('has what was denied', async () => {
  const { member } = world.cast;
  await describeAs('Not allowed.', member);
  const { entries } = await read({ user_id: member.id, act: 'org setting' });
  expect(entries[0]).toMatchObject({ outcome: 'denied', user_id: member.id });
});
