// Every program in docs/guide runs against the demo, as a reader would run it.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStoredDemo, type DemoProcess } from './demo-process.ts';
import { blocksOf, GUIDES, runGuideBlock } from './guides.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Programs that cannot be run here. Each has its reason in the guide; the number does not grow unseen. */
const SKIPPED_MAX = 4;

let running: DemoProcess;
let folder: string;

beforeAll(async () => {
  running = await startStoredDemo();
  // Inside the repository, so that `@rialto/sdk` and `npx rialto` are found.
  folder = mkdtempSync(join(ROOT, 'packages', '.guides-'));
}, 120_000);

afterAll(() => {
  running.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** What the demo tells its reader to paste. */
function environment(): Record<string, string> {
  const { users, operators } = running.demo;
  const [operator = ''] = Object.keys(operators.secrets);
  return {
    CHAT_USER: `${users.owner.email}:${users.owner.api_key}`,
    TRADING_KEY: users.trader_a.trading.api_key,
    TRADING_SECRET: users.trader_a.trading.secret_key,
    RIALTO_OPERATOR: operator,
    RIALTO_OPERATOR_SECRET: operators.secrets[operator] ?? '',
    ...operators.environment,
  };
}

it('nearly every program is run', () => {
  const blocks = GUIDES.flatMap(blocksOf);
  expect(blocks.length).toBeGreaterThan(35);
  expect(blocks.filter(({ skip }) => skip !== undefined).length).toBeLessThanOrEqual(SKIPPED_MAX);
});

describe.each(GUIDES.filter((guide) => blocksOf(guide).length > 0))('%s', (guide) => {
  const blocks = blocksOf(guide).map((block, index) => ({ block, index: index + 1 }));
  const run = blocks.filter(({ block }) => block.skip === undefined);

  it.each(run)('runs its program $index, in $block.language', async ({ block }) => {
    const { origin } = new URL(running.demo.web_url);
    const printed = await runGuideBlock(block, folder, origin, environment());
    expect(printed.trim()).not.toBe('');
    // The page on signing shows a refusal on purpose; everything else succeeds.
    const isLesson = block.text.includes('ZEROS=');
    expect(/"status":"false"|"result":"error"/.test(printed), printed).toBe(isLesson);
  });
});
