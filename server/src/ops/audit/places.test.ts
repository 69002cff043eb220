// Compares the list of acts with everything that can write one: routes of both APIs, pages, commands.
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { ACTS, actsOf, UNAUDITED, type AuditDeclaration } from '../../accounts/audit/acts.ts';
import { chatRoutes, sessionRoutes } from '../../chat/routes.ts';
import { ADMIN_ROUTES } from '../../trading/administration/list.ts';
import { ROUTES } from '../../trading/routes.ts';
import { PAGES, PROVIDER_RETURN } from '../../web/audit.ts';
import { adminCommand } from '../commands/admin.ts';
import { placeOf } from '../commands/admin/acting.ts';
import { operatorLoginCommand } from '../commands/operator.ts';
import { setupCommand } from '../commands/setup.ts';

interface Declared {
  readonly name: string;
  readonly method: string;
  readonly audit?: AuditDeclaration | undefined;
}

const routes: readonly Declared[] = [
  ...new Set([...chatRoutes, ...sessionRoutes, ...ROUTES, ...ADMIN_ROUTES]),
  ...Object.values(PAGES).map((page) => ({ ...page, method: 'POST' })),
  { ...PROVIDER_RETURN, method: 'GET' },
];

interface Leaf {
  readonly name: string;
  readonly command: Command;
}

function leavesOf(command: Command, path: readonly string[] = []): Leaf[] {
  if (command.commands.length === 0) return [{ name: path.join(' '), command }];
  return command.commands.flatMap((one) => leavesOf(one, [...path, one.name()]));
}

const leaves = [
  ...leavesOf(await adminCommand()),
  ...leavesOf(setupCommand(), ['setup']),
  ...leavesOf(operatorLoginCommand(), ['operator']),
];

/** Read-only commands of operators, which leave no entry. */
const LOOKS = [
  'account show',
  'audit export',
  'audit head',
  'audit heads',
  'audit key',
  'audit list',
  'audit verify',
  'coin list',
  'coin show',
  'coin template',
  'custody request',
  'custody status',
  'key list',
  'market list',
  'market show',
  'market template',
  'operator list',
  'operator requests',
  'order show',
  'pending',
  'recovery list',
  'sign-in show',
  'sub-account list',
  'withdraw',
];

it('every route that is not a GET declares its audit acts, or why it has none', () => {
  for (const { name, method, audit } of routes) {
    if (method === 'GET' && audit === undefined) continue;
    expect(audit, name).toBeDefined();
  }
});

it('every declared act and reason is in the list', () => {
  const places = [
    ...routes.map(({ audit }) => audit),
    ...leaves.map((leaf) => placeOf(leaf.command)),
  ];
  for (const place of places) {
    if (place === undefined) continue;
    if ('none' in place) expect(Object.keys(UNAUDITED)).toContain(place.none);
    else for (const act of place) expect(Object.keys(ACTS)).toContain(act);
  }
});

it('every act and reason of the list is declared somewhere', () => {
  const declared = new Set<string>([
    ...routes.flatMap(({ audit }) => actsOf(audit)),
    ...leaves.flatMap((leaf) => actsOf(placeOf(leaf.command))),
    // Every command that names an operator writes this when the authentication fails.
    'operator prove',
  ]);
  expect(Object.keys(ACTS).filter((act) => !declared.has(act))).toEqual([]);
});

it('every operator command names its acts, except read-only ones', () => {
  const silent = leaves.filter(({ command }) => placeOf(command) === undefined);
  expect(silent.map(({ name }) => name).sort()).toEqual(LOOKS);
});

it('every command that authenticates an operator is audited', () => {
  const asking = leaves.filter(({ command }) =>
    command.options.some(({ long }) => long === '--by'),
  );
  expect(asking.length).toBeGreaterThan(15);
  for (const { name, command } of asking) expect(actsOf(placeOf(command)), name).not.toEqual([]);
});

it('showing a key is an act, though it is only a read', () => {
  const shows = routes.filter(({ audit }) => actsOf(audit).includes('chat_key reveal'));
  expect(shows.map(({ name }) => name).sort()).toEqual([
    'POST /account/key/',
    'fetch-api-key',
    'get-bot-api-key',
    'get-bots',
    'reveal-api-key',
  ]);
});

it('every act is a noun and a verb that the table accepts', () => {
  for (const act of Object.keys(ACTS)) expect(act).toMatch(/^[a-z_]+( [a-z_]+)*$/);
});
