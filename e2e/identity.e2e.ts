// The journeys of people who sign in, in Chromium, in both languages and at the width of a phone: password and code, a
// provider, a forgotten password, a new address, a session on another device, a key of one's own. Passkeys have a file of
// their own.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatClient } from '../server/src/testing/chat/client.ts';
import type { Person } from '../server/src/testing/example.ts';
import {
  providerSettings,
  startProvider,
  type TestProvider,
} from '../server/src/testing/oidc-provider.ts';
import {
  call,
  codeOf,
  fits,
  LANGUAGES,
  look,
  openIdentityWorld,
  PHONE,
  signIn,
  visit,
  whoIs,
  type IdentityWorld,
  type PageLanguage,
} from './identity-world.ts';

const NEW_PASSWORD = 'another horse 8 battery';

let world: IdentityWorld;
let provider: TestProvider;
let removeFile: () => void;
let next = 0;
const person = (): Person => world.people[next++] as Person;

beforeAll(async () => {
  provider = await startProvider('acme');
  const file = providerSettings([
    provider.entry({ name: 'Acme', domains: ['example.org'], create: 'member' }),
  ]);
  removeFile = file.remove;
  world = await openIdentityWorld(16, file.settings);
  await provider.register(world.origin);
}, 300_000);
afterAll(async () => {
  await world?.close();
  await provider?.close();
  removeFile?.();
});

const homeIn = (language: PageLanguage): string => `${world.origin}/?lang=${language}`;
const signOut = (page: Page) => page.context().clearCookies({ name: /sessionid/ });

/** The first link of this kind in the emails to an address. */
async function linkTo(address: string, path: string): Promise<string> {
  for (;;) {
    const { text = '' } = await world.catcher.next(address);
    const link = new RegExp(`https?://\\S+${path}[a-z2-7]{52}/?`).exec(text)?.[0];
    if (link !== undefined) return link;
  }
}

describe.each(LANGUAGES)('[I1] journeys in %s', (language) => {
  it('password and a code of an authenticator app', async () => {
    const who = person();
    const { page } = await visit(world, { viewport: PHONE, hasScript: false });
    await signIn(page, world, who, { language });
    await page.waitForURL(homeIn(language));
    const { body } = await call(page, world, 'POST', '/second_factors/totp');
    const secret = String(body['secret']);
    const first = codeOf(secret);
    const confirmed = await call(page, world, 'POST', '/second_factors/totp/confirm', {
      code: first,
    });
    expect(confirmed.body['recovery_codes']).toHaveLength(10);

    await signOut(page);
    await signIn(page, world, who, { language });
    await page.waitForURL(/\/accounts\/login\/factor\//);
    await look(page, `code-${language}`);
    await fits(page, language);
    // The code that confirmed the app is spent.
    await page.fill('#code', first);
    await page.click('form:has(#code) button[type=submit]');
    await page.locator('#problem').waitFor();
    await look(page, `code-wrong-${language}`);
    await fits(page, language);
    expect(await whoIs(page, world)).toBe('nobody (401)');
    await page.fill('#code', codeOf(secret, 1));
    await page.click('form:has(#code) button[type=submit]');
    await page.waitForURL(homeIn(language));
    expect(await whoIs(page, world)).toBe(who.email);

    await signOut(page);
    await signIn(page, world, who, { language });
    await page.click('summary');
    const [recovery] = confirmed.body['recovery_codes'] as string[];
    await page.fill('#recovery_code', recovery ?? '');
    await page.click('form:has(#recovery_code) button[type=submit]');
    await page.waitForURL(homeIn(language));
    expect(await whoIs(page, world)).toBe(who.email);
    await page.context().close();
  });

  it('through a provider', async () => {
    const email = `ava.${language}@example.org`;
    await provider.become({
      sub: `ava-${language}`,
      claims: { email, email_verified: true, name: 'Ava Acme' },
    });
    const { page } = await visit(world, { viewport: PHONE, hasScript: false });
    await page.goto(`${world.origin}/login/?lang=${language}`);
    await look(page, `login-provider-${language}`);
    await fits(page, language);
    await page.click('a[href^="/accounts/login/oidc/acme/"]');
    await page.waitForURL((url) => url.origin === world.origin && url.pathname === '/');
    expect(await whoIs(page, world)).toBe(email);
    await page.context().close();
  });

  it('a forgotten password', async () => {
    const who = person();
    const { page } = await visit(world, { viewport: PHONE, hasScript: false });
    await page.goto(`${world.origin}/login/?lang=${language}`);
    await page.click('a[href^="/accounts/password/reset/"]');
    await look(page, `reset-ask-${language}`);
    await fits(page, language);
    await page.fill('input[name=email]', who.email);
    await page.click('main button[type=submit]');
    await page.goto(await linkTo(who.email, '/accounts/password/reset/'));
    // The key is in no address that could be passed on.
    expect(page.url()).not.toMatch(/[a-z2-7]{52}/);
    await look(page, `reset-choose-${language}`);
    await fits(page, 'en');
    await page.fill('#password', NEW_PASSWORD);
    await page.fill('#again', NEW_PASSWORD);
    await page.click('main button[type=submit]');
    await page.waitForURL(/\/login\//);
    await look(page, `reset-done-${language}`);
    await signIn(page, world, who, { language });
    await page.locator('#problem').waitFor();
    await signIn(page, world, who, { language, password: NEW_PASSWORD });
    await page.waitForURL(homeIn(language));
    expect(await whoIs(page, world)).toBe(who.email);
    await page.context().close();
  });

  it('a session that is ended from another device', async () => {
    const who = person();
    const [phone, desk] = [await visit(world, { viewport: PHONE }), await visit(world)];
    for (const { page } of [phone, desk]) {
      await signIn(page, world, who, { language });
      await page.waitForURL(homeIn(language));
    }
    await phone.page.goto(`${world.origin}/accounts/sessions/?lang=${language}`);
    await look(phone.page, `sessions-${language}`);
    await fits(phone.page, language);
    await phone.page.click('button[name=end][value=others]');
    await phone.page.waitForLoadState();
    expect(await whoIs(desk.page, world)).toBe('nobody (401)');
    expect(await whoIs(phone.page, world)).toBe(who.email);
    await Promise.all([phone.context.close(), desk.context.close()]);
  });
});

describe('[I1] journeys that need no page', () => {
  it('a new email address, which both mailboxes confirm', async () => {
    const who = person();
    const email = 'moved@example.org';
    const { page } = await visit(world, { viewport: PHONE, hasScript: false });
    await signIn(page, world, who);
    await page.waitForURL(homeIn('en'));
    expect((await call(page, world, 'PATCH', '/settings', { email })).status).toBe(200);
    for (const address of [who.email, email]) {
      await page.goto(await linkTo(address, '/accounts/confirm_new_email/'));
      await look(page, `address-${address === email ? 'new' : 'old'}`);
      await fits(page, 'en');
      await page.click('button[value=confirm]');
      await page.locator('#said').waitFor();
    }
    await look(page, 'address-done');
    expect(await whoIs(page, world)).toBe(email);
    await page.context().close();
  });

  it('a key of one’s own: made, used, limited, expired', async () => {
    const who = person();
    const { page } = await visit(world);
    await signIn(page, world, who);
    await page.waitForURL(homeIn('en'));
    const made = await call(page, world, 'POST', '/api_keys', {
      label: 'Reader',
      can: JSON.stringify(['read']),
    });
    expect(made.status).toBe(200);
    const basic = `Basic ${Buffer.from(`${who.email}:${String(made.body['api_key'])}`).toString('base64')}`;
    const program = chatClient({ chatUrl: `${world.rialto.origin}/api/v1` }, { basic });
    expect((await program.get('/users/me')).body['email']).toBe(who.email);
    const sent = await program.post('/messages', { type: 'direct', to: [who.id], content: 'Hi' });
    expect([sent.status, sent.body['code']]).toEqual([400, 'KEY_SCOPE']);
    const path = `/api_keys/${String(made.body['id'])}`;
    const soon = Math.floor(Date.now() / 1000) + 3;
    const changed = await call(page, world, 'PATCH', path, { expires_at: String(soon) });
    expect([changed.status, changed.body['msg']]).toEqual([200, '']);
    await expect
      .poll(async () => (await program.get('/users/me')).status, { timeout: 30_000 })
      .toBe(401);
    await page.context().close();
  });
});
