// Which names people may have, for every way to set one.
import { describe, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { keyNames } from '../../../accounts/users/names.ts';
import { examplePerson } from '../../../testing/example.ts';
import type { Answer } from '../../../testing/chat/client.ts';
import { ok, refused, send, useMessageWorld, type Actor } from '../../../testing/chat/world.ts';

const world = useMessageWorld();

const rename = ({ client }: Actor, full_name: string): Promise<Answer> =>
  client.patch('/settings', { full_name });
const nameOf = async ({ client }: Actor) => ok(await client.get('/users/me'))['full_name'];

const RESERVED = 'This name is reserved for system bots. Please choose another one.';
const OF_ANOTHER = /^Somebody else has this name, or one that looks like it\./;
const LIKE_ADMINISTRATOR = /^This name looks like an administrator's/;
const INVISIBLE = 'Invalid characters in name!';

let count = 0;
/** Every way in which somebody can set a name, their own or another person's. */
const WAYS_TO_NAME: Readonly<Record<string, (name: string) => Promise<Answer>>> = {
  "one's own settings": async (name) => rename(await world.person(), name),
  'an administrator for somebody': async (name) =>
    world.owner.client.patch(`/users/${(await world.person()).id}`, { full_name: name }),
  'an administrator for somebody new': (name) =>
    world.owner.client.post('/users', {
      email: `new${(count += 1)}@example.com`,
      password: 'violet kettle marching 42',
      full_name: name,
    }),
  'a new bot': (name) =>
    world.ada.client.post('/bots', { full_name: name, short_name: `bot${(count += 1)}` }),
  'a bot': async (name) => {
    const bot = await world.person({ botType: 1, botOwnerId: world.ada.id });
    return world.ada.client.patch(`/bots/${bot.id}`, { full_name: name });
  },
  'a bot as a user': async (name) => {
    const bot = await world.person({ botType: 1, botOwnerId: world.ada.id });
    return world.ada.client.patch(`/users/${bot.id}`, { full_name: name });
  },
};

describe.each(Object.keys(WAYS_TO_NAME))('by %s', (title) => {
  const door = WAYS_TO_NAME[title] as (name: string) => Promise<Answer>;

  it.each([
    'Notification Bot',
    'notification bot',
    'NotificationBot',
    'Notification-Bot',
    'Nоtificаtion Bоt',
    'Ｎotification Bot',
    'Not1f1cat1on B0t',
    'Welcome Bot',
    'Email Gateway',
  ])('refuses the name of a system bot, as %j', async (name) => {
    expect(refused(await door(name)).msg).toBe(RESERVED);
  });

  it.each(['Ada\u202Ebob', 'Ada\u200B', 'A\u200Cda', 'Ada\u2066', 'A\u00ADda', 'Ad\u3164a'])(
    'refuses a name with invisible characters, as %j',
    async (name) => {
      // The `x` keeps the invisible character inside: white space at the ends is trimmed.
      expect(refused(await door(`${name}x`)).msg).toBe(INVISIBLE);
    },
  );

  it('refuses a name that imitates an administrator’s with other characters, but permits the same name', async () => {
    expect(refused(await door('Оlgа Оwnеr')).msg).toMatch(LIKE_ADMINISTRATOR);
    expect(refused(await door('OIga 0wner')).msg).toMatch(LIKE_ADMINISTRATOR);
    ok(await door('Olga Owner'));
  });

  it('keeps a half-space in a Persian name', async () => {
    ok(await door('نرگس\u200Cزاده'));
  });
});

describe('a guest', () => {
  it.each(['Olga Owner', 'olga owner', 'Оlga Owner', 'Bob', 'BOB', 'Bоb', 'B0b'])(
    'cannot take a name that somebody has, as %j',
    async (name) => {
      const { guest } = world;
      expect(refused(await rename(guest, name)).msg).toMatch(OF_ANOTHER);
      expect(await nameOf(guest)).toBe('Gus Guest');
    },
  );

  it('cannot take it with a half-space in another position', async () => {
    const { guest, person } = world;
    await person({ fullName: 'سارا\u200Cجان' });
    expect(refused(await rename(guest, 'ساراجان')).msg).toMatch(OF_ANOTHER);
  });

  it('cannot join with it, however the account is created', async () => {
    const given = { role: ROLE.guest, fullName: 'Bob' };
    await expect(examplePerson(world.server.ctx, given)).rejects.toThrow(OF_ANOTHER);
  });

  it('may keep or respell their own name, and take one that nobody has', async () => {
    const guest = await world.person({ role: ROLE.guest, fullName: 'Greta Guest' });
    ok(await rename(guest, 'GRETA Guest'));
    ok(await rename(guest, 'Greta G.'));
    ok(await rename(guest, 'Bob Somebody'));
  });

  it('may take the name of a deactivated person', async () => {
    const gone = await world.person({ fullName: 'Long Gone' });
    ok(await world.owner.client.delete(`/users/${gone.id}`));
    ok(await rename(await world.person({ role: ROLE.guest }), 'Long Gone'));
  });

  it('is compared with names from an older release too, with keys or without', async () => {
    const { ctx } = world.server;
    const old = await world.person({ fullName: 'Before' });
    await ctx.db
      .updateTable('users')
      .set({ fullName: 'Written Before' })
      .where('id', '=', old.id)
      .execute();
    const guest = await world.person({ role: ROLE.guest });
    const attempt = async () => refused(await rename(guest, 'Writtеn Before')).msg;
    expect(await attempt()).toMatch(OF_ANOTHER);
    while ((await keyNames(ctx.db, 10)) > 0);
    expect(await attempt()).toMatch(OF_ANOTHER);
    ok(await rename(guest, 'Before'));
  });

  it('and another guest cannot both get a name that they request at once', async () => {
    for (let round = 0; round < 8; round += 1) {
      const guests = await Promise.all(
        Array.from({ length: 3 }, () => world.person({ role: ROLE.guest })),
      );
      const answers = await Promise.all(guests.map((guest) => rename(guest, `Wanted ${round}x`)));
      const won = answers.filter(({ body }) => body['result'] === 'success');
      expect(won).toHaveLength(1);
    }
  });
});

describe('two people with one name', () => {
  it('differ by their ids: a mention with an id reaches one of them, and a bare name nobody', async () => {
    const { ada, publicId, person, owner } = world;
    const twins = [
      await person({ fullName: 'Toni Twin' }),
      await person({ fullName: 'Toni Twin' }),
    ];
    for (const twin of twins) {
      ok(
        await owner.client.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'general' }],
          principals: [twin.id],
        }),
      );
    }
    const flagged = async (content: string) => {
      const id = await send(ada, publicId, 'twins', content);
      const flags = await Promise.all(
        twins.map(async ({ client }) => {
          const { message } = ok(await client.get(`/messages/${id}`));
          return (message as { flags: string[] }).flags.includes('mentioned');
        }),
      );
      return flags;
    };
    const [first, second] = twins as [Actor, Actor];
    expect(await flagged(`@**Toni Twin|${first.id}** hello`)).toEqual([true, false]);
    expect(await flagged(`@**Toni Twin|${second.id}** hello`)).toEqual([false, true]);
    expect(await flagged('@**Toni Twin** hello')).toEqual([false, false]);
  });
});

describe('where the organization requires unique names', () => {
  it('a name that looks like another is refused too', async () => {
    const { owner, person } = world;
    ok(await owner.client.patch('/realm', { require_unique_names: true }));
    const msg = 'Unique names required in this organization.';
    const someone = await person({ fullName: 'Someone Else' });
    expect(refused(await rename(someone, 'Bоb')).msg).toBe(msg);
    const created = await owner.client.post('/users', {
      email: 'bob2@example.com',
      password: 'violet kettle marching 42',
      full_name: 'Bob',
    });
    expect(refused(created).msg).toBe(msg);
    ok(await rename(someone, 'Someone Other'));
    ok(await owner.client.patch('/realm', { require_unique_names: false }));
  });

  it('only one of several gets a name that they request at once, however each writes it', async () => {
    const { owner, person } = world;
    const racers = await Promise.all(Array.from({ length: 3 }, () => person()));
    ok(await owner.client.patch('/realm', { require_unique_names: true }));
    for (let round = 0; round < 5; round += 1) {
      // The same letters in Latin, with a Cyrillic о, and with a zero.
      const spellings = [`Polo ${round}x`, `Pоlo ${round}x`, `Pol0 ${round}x`];
      const renamed = racers.map((racer, index) => rename(racer, spellings[index] ?? ''));
      const created = owner.client.post('/users', {
        email: `polo${round}@example.com`,
        password: 'violet kettle marching 42',
        full_name: `POLO ${round}X`,
      });
      const answers = await Promise.all([...renamed, created]);
      expect(answers.filter(({ body }) => body['result'] === 'success')).toHaveLength(1);
    }
    ok(await owner.client.patch('/realm', { require_unique_names: false }));
  });

  it('somebody whose name was taken meanwhile returns only under another', async () => {
    const { owner, person } = world;
    const gone = await person({ fullName: 'Rita Returns' });
    ok(await owner.client.delete(`/users/${gone.id}`));
    await person({ fullName: 'Rita Returns' });
    ok(await owner.client.patch('/realm', { require_unique_names: true }));
    const back = () => owner.client.post(`/users/${gone.id}/reactivate`);
    expect(refused(await back()).msg).toBe('Unique names required in this organization.');
    ok(await owner.client.patch(`/users/${gone.id}`, { full_name: 'Rita Again' }));
    ok(await back());
    ok(await owner.client.patch('/realm', { require_unique_names: false }));
  });
});

describe('names of other things', () => {
  it.each(['gen\u202Eeral', 'gen\u200Beral', 'gen\u200Ceral', 'gen\u2066eral'])(
    'a channel, a group and an address with invisible characters are refused: %j',
    async (name) => {
      const { owner } = world;
      const channel = await owner.client.post('/channels/create', { name, subscribers: [] });
      expect(refused(channel).msg).toBe('Invalid character in channel name, at position 4.');
      const group = await owner.client.post('/user_groups/create', {
        name,
        description: '',
        members: [],
      });
      expect(refused(group).msg).toBe('Invalid character in user group name, at position 4.');
      const user = await owner.client.post('/users', {
        email: `${name}@example.com`,
        password: 'violet kettle marching 42',
        full_name: 'Fine',
      });
      expect(refused(user).msg).toBe('Enter a valid email address.');
      const moved = await owner.client.patch(`/users/${world.bob.id}`, {
        new_email: `${name}@example.com`,
      });
      expect(refused(moved).msg).toBe('Invalid new email address.');
    },
  );

  it('a channel and a group may have a Persian half-space or emoji of several parts', async () => {
    const { owner } = world;
    for (const name of ['قیمت\u200Cها', 'team 👩\u200D💻']) {
      ok(await owner.client.post('/channels/create', { name, subscribers: [] }));
      ok(await owner.client.post('/user_groups/create', { name, description: '', members: [] }));
    }
  });
});
