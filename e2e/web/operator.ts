// Operators of the demo: a grant from the host's command line, and an authenticator app of their own.
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { RIALTO_BINARY } from '../../server/src/testing/rialto-process.ts';
import { codeOf } from '../identity-world.ts';
import { visit } from './client.ts';
import type { Stage } from './stage.ts';

const SLOW = { timeout: 60_000 };

export interface Authenticator {
  /** A code that was not given before and is accepted now. The third one waits for the next half minute. */
  next(): Promise<string>;
}

export interface Operating {
  readonly page: Page;
  readonly complaints: string[];
  readonly app: Authenticator;
}

/** Somebody who may do everything, with an app of their own, at a page of the console. */
export async function operate(
  stage: Stage,
  role: 'owner' | 'admin',
  path: string,
): Promise<Operating> {
  const { email, password } = stage.demo.users[role];
  // While fewer than two people have `everything`, the host gives grants.
  runAtHost(stage, ['operator', 'grant', email, 'everything']);
  const { page, complaints } = await visit(stage, path, {
    role,
    viewport: { width: 1440, height: 900 },
    colorScheme: 'dark',
  });
  return { page, complaints, app: await addAuthenticator(page, password) };
}

/** Where the server asks for a proof, a code of the app gives it. */
export async function prove({ page, app }: Operating, done: Locator): Promise<void> {
  const code = page.getByLabel('Code of your authenticator app');
  await done.or(code).first().waitFor(SLOW);
  if (await code.isVisible()) {
    await code.fill(await app.next());
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  }
  await done.first().waitFor(SLOW);
}

/** Halts a market with a reason, as the console asks for both. */
export async function haltMarket(
  who: Operating,
  { symbol, pair, reason }: { readonly symbol: string; readonly pair: string; reason: string },
): Promise<void> {
  const { page } = who;
  await page.getByRole('button', { name: `Halt ${pair}` }).click();
  const dialog = page.getByRole('alertdialog');
  const act = dialog.getByRole('button', { name: `Halt ${pair}` });
  expect(await act.isDisabled()).toBe(true);
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason);
  expect(await act.isDisabled()).toBe(true);
  await dialog.getByRole('textbox', { name: `Type ${symbol} to go on` }).fill(symbol);
  await act.click();
  await prove(who, page.getByText(`${pair}: Halted.`));
}

/** Approves what another operator asked for. */
export async function approve(who: Operating, id: string): Promise<void> {
  const { page } = who;
  await prove(who, page.getByRole('button', { name: `Approve ${id}` }));
  await page.getByRole('button', { name: `Approve ${id}` }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('textbox', { name: /^Type/ }).fill(id);
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await prove(who, page.getByText(`${id}.`, { exact: true }));
}

/** Asks to move money, as the console does not; it always waits for somebody else. */
export async function askToMove(
  { page, app }: Operating,
  movement: Readonly<Record<'from' | 'to' | 'coin' | 'amount' | 'reason', string>>,
): Promise<string> {
  const asked = await page.evaluate(
    async ([code, fields]) => {
      const token = /csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? '';
      const answer = await fetch('/json/v1/admin/ledger/adjust', {
        method: 'POST',
        headers: { 'x-csrftoken': token, 'x-svc-otp': code },
        body: new URLSearchParams(fields),
      });
      return (await answer.json()) as { result?: { requestId: string; status: string } };
    },
    [await app.next(), movement] as const,
  );
  expect(asked.result?.status).toBe('awaiting_approval');
  return asked.result?.requestId ?? '';
}

/** `rialto admin` on the demo's own machine; `by` acts with the secret that the demo printed. */
export function runAtHost(
  { demo }: Pick<Stage, 'demo'>,
  args: readonly string[],
  by?: string,
): void {
  const { environment, secrets } = demo.operators;
  const acting = by === undefined ? [] : ['--by', by];
  const { status, stderr } = spawnSync(
    process.execPath,
    [RIALTO_BINARY, 'admin', ...args, ...acting, '--json'],
    {
      cwd: '/',
      env: {
        PATH: process.env['PATH'],
        HOME: '/nonexistent',
        ...environment,
        ...(by !== undefined && { RIALTO_OPERATOR_SECRET: secrets[by] }),
      },
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`rialto admin ${args.join(' ')} failed: ${stderr}`);
}

const STEP_MS = 30_000;

/** Adds an authenticator app to the person who is signed in on the page, as any client can. */
export async function addAuthenticator(page: Page, password: string): Promise<Authenticator> {
  const call = (path: string, form: Record<string, string>) =>
    page.evaluate(
      async ([to, body]) => {
        const token = /csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? '';
        const answer = await fetch(`/json${to}`, {
          method: 'POST',
          headers: { 'x-csrftoken': token },
          body: new URLSearchParams(body),
        });
        return (await answer.json()) as Record<string, unknown>;
      },
      [path, form] as const,
    );
  await call('/step_up', { password });
  const { secret } = await call('/second_factors/totp', {});
  const text = String(secret);
  const now = () => Math.floor(Date.now() / STEP_MS);
  // The one before, so that the present one and the next are left.
  let last = now() - 1;
  const confirmed = await call('/second_factors/totp/confirm', {
    code: codeOf(text, last - now()),
  });
  if (confirmed['result'] !== 'success') throw new Error(JSON.stringify(confirmed));
  return {
    async next() {
      last = Math.max(last + 1, now());
      while (last > now() + 1) await sleep(200);
      return codeOf(text, last - now());
    },
  };
}
