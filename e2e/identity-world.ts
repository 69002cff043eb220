// A venue with a name of its own, a mail server, and Chromium: what the journeys of people who sign in share.
import { createHmac } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';
import { ROLE } from '../server/src/accounts/roles.ts';
import { loadConfig } from '../server/src/platform/config/load.ts';
import { createContext } from '../server/src/platform/context.ts';
import { migrate } from '../server/src/platform/db/migrate.ts';
import { startPostgres, type PrivatePostgres } from '../server/src/platform/engines/postgres.ts';
import { examplePerson, type Person } from '../server/src/testing/example.ts';
import { startMailCatcher, type MailCatcher } from '../server/src/testing/mail-catcher.ts';
import { startRialtoProcess, type RialtoProcess } from '../server/src/testing/rialto-process.ts';
import { openBrowser } from './browser.ts';

export const PASSWORD = 'correct horse 7 staple';
/** A folder for screenshots of the pages, if set. */
const PICTURES = process.env['PICTURES'];

export const LANGUAGES = ['en', 'fa'] as const;
export type PageLanguage = (typeof LANGUAGES)[number];

const WIDE = { width: 1280, height: 860 };
export const PHONE = { width: 360, height: 780 };

export interface IdentityWorld {
  readonly origin: string;
  /** Another host below the same rpId, which the settings name. */
  readonly second: string;
  /** One that they do not name. */
  readonly third: string;
  readonly rialto: RialtoProcess;
  readonly catcher: MailCatcher;
  readonly browser: Browser;
  readonly people: readonly Person[];
  close(): Promise<void>;
}

/** Every journey has people of its own. */
export async function openIdentityWorld(
  count: number,
  settings: Record<string, string> = {},
): Promise<IdentityWorld> {
  const [postgres, catcher, browser] = await Promise.all([
    startPostgres(),
    startMailCatcher(),
    openBrowser(),
  ]);
  const closers: (() => Promise<unknown>)[] = [
    () => browser.close(),
    () => catcher.close(),
    () => postgres.remove(),
  ];
  const base = {
    DATABASE_URL: postgres.serverUrl,
    MASTER_KEY: '5e'.repeat(32),
    LOG_LEVEL: 'error',
    MONEY: 'simulated',
    ORGANIZATION_NAME: 'Harbour Desk',
    CHAT_RATE_LIMIT_ANONYMOUS: '10000',
    CHAT_RATE_LIMIT: '10000',
    ...catcher.settings,
  };
  const people = await createPeople(postgres, base, count);
  const hostOf = (name: string, port: number) => `http://${name}.rialto.localhost:${port}`;
  const rialto = await startRialtoProcess('api,engine,relay,worker', (port) => ({
    ...base,
    PUBLIC_URL: hostOf('venue', port),
    WEBAUTHN_RP_ID: 'rialto.localhost',
    WEBAUTHN_ORIGINS: hostOf('desk', port),
    ...settings,
  }));
  return {
    origin: hostOf('venue', rialto.port),
    second: hostOf('desk', rialto.port),
    third: hostOf('other', rialto.port),
    rialto,
    catcher,
    browser,
    people,
    async close() {
      await rialto.stop();
      for (const close of closers) await close();
    },
  };
}

/** The people are created before the process starts, which then owns the database. */
async function createPeople(
  postgres: PrivatePostgres,
  environment: Record<string, string>,
  count: number,
): Promise<Person[]> {
  await migrate(postgres.ownerUrl, postgres.serverUrl);
  const ctx = await createContext(loadConfig({ ...environment, ROLES: 'worker' }), {
    onFatal: (error) => {
      throw error;
    },
  });
  const people: Person[] = [];
  for (let index = 0; index < count; index += 1) {
    people.push(
      await examplePerson(ctx, {
        password: PASSWORD,
        role: ROLE.member,
        fullName: `Ava Number ${index}`,
      }),
    );
  }
  await ctx.close();
  return people;
}

/** A browser of one person, at the width of a desk or of a phone. */
export async function visit(
  { browser }: IdentityWorld,
  { viewport = WIDE, hasScript = true }: { viewport?: typeof WIDE; hasScript?: boolean } = {},
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport, javaScriptEnabled: hasScript });
  const page = await context.newPage();
  page.on('console', (message) => {
    // A page whose policy blocks its own script or style says so here.
    if (/Content Security Policy/i.test(message.text())) throw new Error(message.text());
  });
  return { context, page };
}

export async function look(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}

/** Nothing is wider than the window, so nobody has to scroll sideways; and the page has its direction. */
export async function fits(page: Page, language: PageLanguage): Promise<void> {
  const wide = await page.evaluate('document.documentElement.scrollWidth');
  expect(wide).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  const html = page.locator('html');
  expect(await html.getAttribute('lang')).toBe(language);
  expect(await html.getAttribute('dir')).toBe(language === 'fa' ? 'rtl' : 'ltr');
}

export async function signIn(
  page: Page,
  { origin }: Pick<IdentityWorld, 'origin'>,
  { email }: Pick<Person, 'email'>,
  { language = 'en', password = PASSWORD }: { language?: PageLanguage; password?: string } = {},
): Promise<void> {
  await page.goto(`${origin}/login/?lang=${language}`);
  await page.fill('#username', email);
  await page.fill('#password', password);
  await page.click('form[action="/accounts/login/"] button[type=submit]');
}

/** A request with the cookies that this browser has for `origin`. Only browsers know names below localhost. */
export async function request(
  page: Page,
  { rialto, origin }: Pick<IdentityWorld, 'rialto' | 'origin'>,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const cookies = await page.context().cookies(origin);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  return fetch(`${rialto.origin}${path}`, {
    redirect: 'manual',
    ...init,
    headers: { ...(cookie !== '' && { cookie }), ...(init.headers as object) },
  });
}

/** A call under /json, with the token that our own pages' scripts send. */
export async function call(
  page: Page,
  world: Pick<IdentityWorld, 'rialto' | 'origin'>,
  method: string,
  path: string,
  form: Record<string, string> = {},
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const cookies = await page.context().cookies(world.origin);
  const token = cookies.find(({ name }) => name === 'csrftoken')?.value ?? '';
  const answer = await request(page, world, `/json${path}`, {
    method,
    ...(method !== 'GET' && { body: new URLSearchParams(form) }),
    headers: { 'x-csrftoken': token },
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** Who is signed in here, by what the API says. */
export async function whoIs(
  page: Page,
  world: Pick<IdentityWorld, 'rialto' | 'origin'>,
): Promise<string> {
  const answer = await request(page, world, '/json/users/me');
  const body = (await answer.json()) as { readonly email?: string };
  return body.email ?? `nobody (${answer.status})`;
}

export interface VirtualAuthenticator {
  readonly session: CDPSession;
  readonly id: string;
  setVerified(isVerified: boolean): Promise<void>;
  credentials(): Promise<Credential[]>;
  add(credential: Credential): Promise<void>;
  clear(): Promise<void>;
}

export interface Credential {
  readonly credentialId: string;
  readonly isResidentCredential: boolean;
  readonly rpId?: string;
  readonly privateKey: string;
  readonly userHandle?: string;
  readonly signCount: number;
}

/** A passkey in the machine, as a phone has one, or a key without a verified user on a cable. */
export async function addAuthenticator(
  { context, page }: { context: BrowserContext; page: Page },
  kind: 'internal' | 'u2f' = 'internal',
): Promise<VirtualAuthenticator> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId: id } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options:
      kind === 'internal'
        ? {
            protocol: 'ctap2',
            transport: 'internal',
            hasResidentKey: true,
            hasUserVerification: true,
            isUserVerified: true,
            automaticPresenceSimulation: true,
          }
        : { protocol: 'u2f', transport: 'usb', automaticPresenceSimulation: true },
  });
  return {
    session,
    id,
    async setVerified(isUserVerified) {
      await session.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified });
    },
    async credentials() {
      const { credentials } = await session.send('WebAuthn.getCredentials', {
        authenticatorId: id,
      });
      return credentials;
    },
    async add(credential) {
      await session.send('WebAuthn.addCredential', { authenticatorId: id, credential });
    },
    async clear() {
      await session.send('WebAuthn.clearCredentials', { authenticatorId: id });
    },
  };
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of an authenticator app, by RFC 6238; `steps` away from now. */
export function codeOf(secret: string, steps = 0): string {
  let bits = '';
  for (const letter of secret.replaceAll(/\s/g, '').toUpperCase()) {
    bits += BASE32.indexOf(letter).toString(2).padStart(5, '0');
  }
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const hash = createHmac('sha1', key).update(step).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
