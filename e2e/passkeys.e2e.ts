// Passkeys in a real browser: Chromium with a virtual authenticator, in both languages, also at the width of a phone.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../server/src/testing/example.ts';
import {
  addAuthenticator,
  fits,
  LANGUAGES,
  look,
  openIdentityWorld,
  PASSWORD,
  PHONE,
  request,
  signIn,
  visit,
  whoIs,
  type IdentityWorld,
  type PageLanguage,
} from './identity-world.ts';

const PASSKEYS = '/accounts/security/passkeys/';
const ALONE = 'form[action="/accounts/login/passkey/"] button';
const FACTOR = 'form[action="/accounts/login/factor/"][data-passkey] button';

let world: IdentityWorld;
let next = 0;
const person = (): Person => world.people[next++] as Person;

beforeAll(async () => {
  world = await openIdentityWorld(12);
}, 300_000);
afterAll(() => world?.close());

/** Signs in with the password alone, and adds a passkey on the page. */
async function addPasskey(
  page: Page,
  who: Person,
  { language = 'en', origin = world.origin }: { language?: PageLanguage; origin?: string } = {},
): Promise<void> {
  await signIn(page, { origin }, who, { language });
  await page.waitForURL(`${origin}/?lang=${language}`);
  await page.goto(`${origin}${PASSKEYS}?lang=${language}`);
  await page.fill('#label', language === 'fa' ? 'گوشی من' : 'My phone');
  await page.click('form[data-passkey=create] button');
  await page.waitForURL(/done=added|step_up/);
}

const signOut = (page: Page) => page.context().clearCookies({ name: /sessionid/ });

describe.each(LANGUAGES)('[I1] [I10] passkeys in %s', (language) => {
  it('are added, open the account alone and after the password, and are removed', async () => {
    const who = person();
    const visitor = await visit(world, { viewport: PHONE });
    const { page } = visitor;
    const authenticator = await addAuthenticator(visitor);
    await addPasskey(page, who, { language });
    // The account has a factor now, which this session has not shown yet.
    expect(page.url()).toContain('/accounts/step_up/');
    await look(page, `step-up-${language}`);
    await fits(page, language);
    await page.click('form[data-passkey=get] button');
    await page.waitForURL((url) => url.pathname === PASSKEYS);
    await look(page, `passkeys-${language}`);
    await fits(page, language);
    await page.click('a[href^="/accounts/security/?"]');
    await look(page, `security-${language}`);
    await fits(page, language);
    await page.click('a[href^="/accounts/security/passkeys/"]');
    expect(await page.locator('li strong').allTextContents()).toEqual([
      language === 'fa' ? 'گوشی من' : 'My phone',
    ]);
    expect(await authenticator.credentials()).toMatchObject([
      { isResidentCredential: true, rpId: 'rialto.localhost' },
    ]);

    await signOut(page);
    await page.goto(`${world.origin}/login/?lang=${language}`);
    await page.locator(ALONE).waitFor({ state: 'visible' });
    await look(page, `login-${language}`);
    await fits(page, language);
    await page.click(ALONE);
    await page.waitForURL(`${world.origin}/?lang=${language}`);
    expect(await whoIs(page, world)).toBe(who.email);

    await signOut(page);
    await signIn(page, world, who, { language });
    await page.waitForURL(/\/accounts\/login\/factor\//);
    expect(await whoIs(page, world)).toBe('nobody (401)');
    await look(page, `factor-${language}`);
    await fits(page, language);
    await page.click(FACTOR);
    await page.waitForURL(`${world.origin}/?lang=${language}`);
    expect(await whoIs(page, world)).toBe(who.email);

    await page.goto(`${world.origin}${PASSKEYS}?lang=${language}`);
    await page.click('button[value=remove]');
    await page.waitForURL(/done=removed/);
    await look(page, `passkeys-none-${language}`);
    await page.context().close();
  });
});

describe('[I10] in Chromium', () => {
  it('two hosts under one rpId work, and a third is refused', async () => {
    const who = person();
    const visitor = await visit(world);
    const { page } = visitor;
    await addAuthenticator(visitor);
    await addPasskey(page, who);
    for (const origin of [world.second, world.third]) {
      await page.goto(`${origin}/login/`);
      await page.click(ALONE);
      await page.waitForURL((url) => url.pathname === '/' || url.search.includes('refused'));
      expect([origin, await whoIs(page, { ...world, origin })]).toEqual([
        origin,
        origin === world.second ? who.email : 'nobody (401)',
      ]);
    }
    await page.context().close();
  });

  it('a user who was not verified gets in after the password, and not alone', async () => {
    const who = person();
    const visitor = await visit(world);
    const { page } = visitor;
    await addAuthenticator(visitor, 'u2f');
    await addPasskey(page, who);
    await signOut(page);
    await page.goto(`${world.origin}/login/`);
    await page.click(ALONE);
    await page.locator('[data-passkey-problem]').first().waitFor({ state: 'visible' });
    expect(await whoIs(page, world)).toBe('nobody (401)');
    await signIn(page, world, who);
    await page.click(FACTOR);
    await page.waitForURL(`${world.origin}/?lang=en`);
    expect(await whoIs(page, world)).toBe(who.email);
    await page.context().close();
  });

  it('a copy with an old counter is refused, and the owner is told and decides', async () => {
    const who = person();
    const visitor = await visit(world);
    const { page } = visitor;
    const authenticator = await addAuthenticator(visitor);
    await addPasskey(page, who);
    const [copy] = await authenticator.credentials();
    for (let use = 0; use < 2; use += 1) {
      await signOut(page);
      await page.goto(`${world.origin}/login/`);
      await page.click(ALONE);
      await page.waitForURL(`${world.origin}/?lang=en`);
    }
    // The owner's browser stays signed in while somebody else uses the copy.
    const owners = await page.context().cookies(world.origin);
    await authenticator.clear();
    await authenticator.add(copy as NonNullable<typeof copy>);
    await signOut(page);
    await page.goto(`${world.origin}/login/`);
    await page.click(ALONE);
    await page.waitForURL(/passkey=refused/);
    await look(page, 'login-refused');
    expect(await whoIs(page, world)).toBe('nobody (401)');
    const subjects: (string | undefined)[] = [];
    for (
      let count = 0;
      count < 10 && !subjects.includes('A passkey may have been copied');
      count += 1
    ) {
      subjects.push((await world.catcher.next(who.email)).subject);
    }
    expect(subjects).toContain('A passkey may have been copied');
    await page.context().clearCookies();
    await page.context().addCookies(owners);
    await page.goto(`${world.origin}${PASSKEYS}`);
    await look(page, 'passkeys-suspected');
    await page.click('button[value=trust]');
    await page.waitForURL(/done=trusted/);
    await page.context().close();
  });

  it('an assertion that was caught on its way is worth nothing', async () => {
    const who = person();
    const visitor = await visit(world);
    const { page } = visitor;
    await addAuthenticator(visitor);
    await addPasskey(page, who);
    await signOut(page);
    let caught = '';
    page.on('request', (request) => {
      if (request.url().endsWith('/accounts/login/passkey/')) caught = request.postData() ?? '';
    });
    await page.goto(`${world.origin}/login/`);
    await page.click(ALONE);
    await page.waitForURL(`${world.origin}/?lang=en`);
    expect(caught).toContain('assertion=');
    // In the same browser, with all its cookies, and in another one.
    const other = await visit(world);
    await other.page.goto(`${world.origin}/login/`);
    for (const replay of [page, other.page]) {
      const cookies = await replay.context().cookies(world.origin);
      const token = cookies.find(({ name }) => name === 'csrftoken')?.value ?? '';
      const form = new URLSearchParams(caught);
      form.set('csrfmiddlewaretoken', token);
      const again = await request(replay, world, '/accounts/login/passkey/', {
        method: 'POST',
        body: form,
        headers: { accept: 'application/json' },
      });
      expect([again.status, await again.json()]).toEqual([
        401,
        expect.objectContaining({ code: 'WRONG_FACTOR' }),
      ]);
    }
    await other.context.close();
    await page.context().close();
  });

  it('without script the page offers the other ways, and only these', async () => {
    const who = person();
    const { page } = await visit(world, { hasScript: false });
    await page.goto(`${world.origin}/login/`);
    expect(await page.locator(ALONE).isVisible()).toBe(false);
    await signIn(page, world, who, { password: PASSWORD });
    await page.waitForURL(`${world.origin}/?lang=en`);
    await page.goto(`${world.origin}${PASSKEYS}`);
    expect(await page.locator('form[data-passkey=create]').isVisible()).toBe(false);
    expect(await page.locator('[data-passkey-note]').isVisible()).toBe(true);
    await page.context().close();
  });

  it('pages without passkeys allow no script', async () => {
    const { page } = await visit(world);
    const policyOf = async (path: string) =>
      (await request(page, world, path)).headers.get('content-security-policy');
    expect(await policyOf('/login/')).toContain("script-src 'self'");
    expect(await policyOf('/accounts/password/reset/')).not.toContain('script-src');
    await page.context().close();
  });
});
