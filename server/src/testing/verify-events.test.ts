// Finds features that emit events without a test that applies them to a client's state and compares the result with a
// fresh state.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SOURCE = fileURLToPath(new URL('..', import.meta.url));

/** Features whose events the routes of another feature emit, and whose tests are there. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'accounts/chat-keys': 'chat/administration/bots',
  'accounts/users': 'chat/administration/users',
  'chat/administration/bot-list': 'chat/administration/bots',
  'chat/messages/message': 'chat/messages/editing',
  'chat/people/settings': 'chat/administration/account',
};
/** Features whose events go only to nodes, or only say that a page should be read again. */
const INTERNAL: ReadonlySet<string> = new Set([
  'accounts/notices',
  'chat/conversations/channel-rights',
  'accounts/sessions',
  'accounts/trading-keys',
]);

/** The folder of the feature; in chat it is below a wing. */
const featureOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('chat/') ? 3 : 2)
    .join('/');
const read = (file: string): string => readFileSync(`${SOURCE}${file}`, 'utf8');

const files = globSync('{chat,accounts}/**/*.ts', { cwd: SOURCE });
const isTest = (file: string): boolean => /\.test\.ts$|\/test-/.test(file);
const emitting = new Set(
  files.filter((file) => !isTest(file) && /\btx\.emit\(/.test(read(file))).map(featureOf),
);
const proving = files.filter(
  (file) => file.endsWith('.int.test.ts') && read(file).includes('verifyEvents('),
);

it('every feature that emits has a test that applies its events', () => {
  const proven = new Set(proving.map(featureOf));
  const without = [...emitting].filter(
    (feature) => !INTERNAL.has(feature) && !proven.has(ELSEWHERE[feature] ?? feature),
  );
  expect(emitting.size).toBeGreaterThan(10);
  expect(without).toEqual([]);
});

/** Directly, or through a world that does so at its end. */
const HOLDS_SHAPES = /\b(?:checkLoggedShapes|useMessageWorld|useCast)\(/;

it('every such test also checks all logged events against the declared shapes', () => {
  expect(proving.filter((file) => !HOLDS_SHAPES.test(read(file)))).toEqual([]);
  for (const world of ['testing/chat/world.ts', 'testing/chat/cast-world.ts']) {
    expect(read(world)).toContain('await checkLoggedShapes(world.server);');
  }
});
