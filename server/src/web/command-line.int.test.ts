// The page on which an operator lets a command line act for them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askLogin, readLogin } from '../accounts/command-lines/actions.ts';
import { openSession } from '../accounts/sessions/actions.ts';
import { examplePerson, type Person } from '../testing/example.ts';
import { exampleGranted } from '../testing/operators.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const PLACE = { host: 'venue-1<b>', login: 'root' };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

interface Page {
  readonly status: number;
  readonly html: string;
  readonly location: string | null;
}

async function browserOf(person: Person, isFresh = true) {
  const { ctx, origin } = server;
  const proven = { methods: ['password', 'passkey'], isFresh } as const;
  const visitor = { address: '127.0.0.1', agent: 'test' };
  const { token, csrfToken } = await openSession(ctx, person, visitor, proven);
  const ask = async (init: RequestInit, query = ''): Promise<Page> => {
    const answer = await fetch(`${origin}/accounts/cli/${query}`, {
      redirect: 'manual',
      ...init,
      headers: { cookie: `sessionid=${token}` },
    });
    return {
      status: answer.status,
      html: await answer.text(),
      location: answer.headers.get('location'),
    };
  };
  return {
    show: (query = '') => ask({}, query),
    post: (fields: Record<string, string>) =>
      ask({
        method: 'POST',
        body: new URLSearchParams({ csrfmiddlewaretoken: csrfToken, ...fields }),
      }),
  };
}

describe('[I24] the page', () => {
  it('asks for the code, in both languages, and never fills it in', async () => {
    const { show } = await browserOf(await exampleGranted(server.ctx, 'look'));
    const english = await show('?code=bcdfghjk');
    expect(english.status).toBe(200);
    expect(english.html).toContain('value=""');
    expect(english.html).not.toContain('bcdfghjk');
    expect(english.html).not.toContain('<script');
    const persian = await show('?lang=fa');
    expect(persian.html).toContain('dir="rtl"');
    expect(persian.html).toContain('اجازه به یک خط فرمان');
  });

  it('names machine, user and address, and lets the command line in by a second step', async () => {
    const { ctx } = server;
    const { post } = await browserOf(await exampleGranted(ctx, 'look'));
    const { id, code } = await askLogin(ctx, PLACE);
    const found = await post({ code, step: 'look' });
    expect(found.html).toContain('venue-1&lt;b&gt;');
    expect(found.html).toContain('>root<');
    expect(await readLogin(ctx, id)).toBe('asked');
    const done = await post({ code, step: 'confirm' });
    expect(done.status).toBe(200);
    expect(await readLogin(ctx, id)).toBe('confirmed');
    expect((await post({ code, step: 'confirm' })).status).toBe(400);
  });

  it('denies it', async () => {
    const { ctx } = server;
    const { post } = await browserOf(await exampleGranted(ctx, 'look'));
    const { id, code } = await askLogin(ctx, PLACE);
    expect((await post({ code, step: 'deny' })).status).toBe(200);
    expect(await readLogin(ctx, id)).toBe('denied');
  });

  it('is not fooled by a foreign form, and asks for a factor that is fresh', async () => {
    const { ctx } = server;
    const person = await exampleGranted(ctx, 'look');
    const { id, code } = await askLogin(ctx, PLACE);
    const { post } = await browserOf(person);
    const forged = await post({ code, step: 'confirm', csrfmiddlewaretoken: 'A'.repeat(43) });
    expect(forged.status).toBe(403);
    const stale = await browserOf(person, false);
    for (const step of ['look', 'confirm']) {
      const page = await stale.post({ code, step });
      expect([page.status === 303 || page.status === 403, step]).toEqual([true, step]);
    }
    expect(await readLogin(ctx, id)).toBe('asked');
  });

  it('opens to nobody without a grant, and not without a session', async () => {
    const { ctx, origin } = server;
    const { id, code } = await askLogin(ctx, PLACE);
    const { post } = await browserOf(await examplePerson(ctx));
    expect((await post({ code, step: 'look' })).status).toBe(403);
    expect((await post({ code, step: 'confirm' })).status).toBe(403);
    const stranger = await fetch(`${origin}/accounts/cli/`, { redirect: 'manual' });
    expect([stranger.status, stranger.headers.get('location')]).toEqual([
      303,
      expect.stringContaining('/login/'),
    ]);
    expect(await readLogin(ctx, id)).toBe('asked');
  });
});
