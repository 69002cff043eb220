// An operator of the demo for the pictures of their pages: a grant from the host's command line, an authenticator app, and
// one session that every look shares.
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { codeAt, STEP_SECONDS, stepAt } from '../../server/src/accounts/second-factors/totp.ts';
import { RIALTO_BINARY } from '../../server/src/testing/rialto-process.ts';
import type { Demo } from '../demo/summary.ts';

export interface Operator {
  /** Cookies of a session that is signed in. */
  readonly state: Awaited<ReturnType<BrowserContext['storageState']>>;
  /** Shows a code, so that the session may look at everything for a while. */
  prove(page: Page): Promise<void>;
}

export async function makeOperator(browser: Browser, demo: Demo): Promise<Operator> {
  const { email, password } = demo.users.owner;
  grantEverything(demo, email);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(new URL('/login/', demo.web_url).href);
  await page.locator('input[name=username]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await Promise.all([
    page.waitForURL((at) => !at.pathname.startsWith('/login')),
    page.locator('input[name=password]').press('Enter'),
  ]);
  await call(page, '/step_up', { password });
  const { secret } = await call(page, '/second_factors/totp', {});
  const key = fromBase32(String(secret));
  // The code before is accepted too, and leaves the present one.
  let last = stepAt(Date.now() / 1000) - 1n;
  await call(page, '/second_factors/totp/confirm', { code: codeAt(key, last) });
  const state = await context.storageState();
  await context.close();
  return {
    state,
    async prove(open) {
      // Each code is taken once.
      while (stepAt(Date.now() / 1000) <= last) await sleep((STEP_SECONDS * 1000) / 10);
      last = stepAt(Date.now() / 1000);
      await call(open, '/step_up', { code: codeAt(key, last) });
    },
  };
}

function grantEverything({ operators }: Demo, email: string): void {
  const { status, stderr } = spawnSync(
    process.execPath,
    [RIALTO_BINARY, 'admin', 'operator', 'grant', email, 'everything', '--json'],
    { env: { PATH: process.env['PATH'], ...operators.environment }, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`No grant: ${stderr}`);
}

async function call(
  page: Page,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await page.evaluate(
    async ([to, body]) => {
      const token = /csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? '';
      const headers = { 'x-csrftoken': token };
      const sent = { method: 'POST', headers, body: new URLSearchParams(body) };
      return (await (await fetch(`/json${to}`, sent)).json()) as Record<string, unknown>;
    },
    [path, form] as const,
  );
  if (answer['result'] !== 'success') throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function fromBase32(text: string): Buffer {
  const bits = text
    .replaceAll(/\s/gu, '')
    .toUpperCase()
    .split('')
    .map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/gu) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
