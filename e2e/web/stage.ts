// A demo and a browser for the tests of one file.
import { Chat, Trading } from '@rialto/sdk';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import type { Demo } from '../../scripts/demo/summary.ts';
import { freePort } from '../../server/src/platform/engines/process.ts';
import { openBrowser } from '../browser.ts';
import { startStoredDemo, type DemoProcess } from '../demo-process.ts';

/** The client is built first, if its sources are newer. */
const STARTS_WITHIN_MS = 300_000;

export type Role = keyof Demo['users'];
export type Trader = 'trader_a' | 'trader_b';

export interface Stage {
  readonly process: DemoProcess;
  readonly demo: Demo;
  readonly browser: Browser;
  readonly origin: string;
  address(path: string): string;
  /** Both APIs as a program of theirs uses them. */
  chatOf(role: Role): Chat;
  tradingOf(role: Trader): Trading;
}

/**
 * Opens both before the tests, prepares what they share, and ends both after them. `settings` gives more settings of the
 * server, once the port is known.
 */
export function openStage(
  prepare: () => Promise<void> = async () => {},
  settings?: (port: number) => Promise<Readonly<Record<string, string>>>,
  start: (args: readonly string[]) => Promise<DemoProcess> = startStoredDemo,
): Stage {
  let opened: Pick<Stage, 'process' | 'browser' | 'origin'> | undefined;
  const stage = () => {
    if (opened === undefined) throw new Error('The stage opens before the first test.');
    return opened;
  };
  beforeAll(async () => {
    const port = settings === undefined ? 0 : await freePort();
    const chosen = (await settings?.(port)) ?? {};
    const args = Object.entries(chosen).flatMap(([name, value]) => ['--set', `${name}="${value}"`]);
    const [process, browser] = await Promise.all([
      start(['--port', String(port), ...args]),
      openBrowser(),
    ]);
    const { origin } = new URL(chosen['PUBLIC_URL'] ?? process.demo.web_url);
    opened = { process, browser, origin };
    await prepare();
  }, STARTS_WITHIN_MS);
  afterAll(async () => {
    await opened?.browser.close();
    opened?.process.dispose();
  });
  return {
    get process() {
      return stage().process;
    },
    get demo() {
      return stage().process.demo;
    },
    get browser() {
      return stage().browser;
    },
    get origin() {
      return stage().origin;
    },
    address: (path) => new URL(path, stage().origin).href,
    chatOf(role) {
      const { email, api_key: apiKey } = stage().process.demo.users[role];
      return new Chat({ url: stage().origin, email, apiKey });
    },
    tradingOf(role) {
      const { api_key: key, secret_key: secret } = stage().process.demo.users[role].trading;
      return new Trading({ url: stage().origin, key, secret });
    },
  };
}
