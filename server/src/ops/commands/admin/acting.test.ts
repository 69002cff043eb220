import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { adminCommand } from '../admin.ts';

/**
 * Read-only commands, the command that needs the audit log's own key, and the two ways in: the first owner, and
 * the request to be enrolled.
 */
const WITHOUT_PROOF = [
  'account show',
  'audit export',
  'audit head',
  'audit heads',
  'audit key',
  'audit list',
  'audit sign',
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
  'operator enrol',
  'operator list',
  'operator requests',
  'order show',
  'pending',
  'rebuild-projections',
  'recovery list',
  'sign-in show',
  'sub-account list',
  // Names the command that replaced it, and does nothing.
  'withdraw',
];
function leavesOf(command: Command, path: readonly string[] = []): [string, Command][] {
  if (command.commands.length === 0) return [[path.join(' '), command]];
  return command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]));
}

it('every command that changes something takes an operator: by --by, or the one who is signed in', async () => {
  const leaves = leavesOf(await adminCommand());
  expect(leaves.length).toBeGreaterThan(30);
  const unproven = leaves
    .filter(([, leaf]) => !leaf.options.some(({ long }) => long === '--by'))
    .map(([path]) => path);
  expect(unproven.toSorted()).toEqual(WITHOUT_PROOF.toSorted());
});

it('a trading key is read-only by default', async () => {
  const [, create] =
    leavesOf(await adminCommand()).find(([path]) => path === 'create-trading-key') ?? [];
  const permissions = create?.options.find(({ long }) => long === '--permissions');
  expect(permissions?.defaultValue).toBe('read');
});

it('no command takes a secret on the command line, where others could read it', async () => {
  for (const [path, leaf] of leavesOf(await adminCommand())) {
    for (const { long } of leaf.options) {
      expect(`${path} ${long}`).not.toMatch(/--(operator-)?secret$|--password$/);
    }
  }
});

it('the old name of retract prints the new one, whatever its arguments, and is in no help', async () => {
  for (const [args, number] of [
    [['12', '--by', 'ava@example.com'], '12'],
    [['--what'], 'NUMBER'],
    [['12; rm -rf /'], 'NUMBER'],
    [[], 'NUMBER'],
  ] as const) {
    const asked = (await adminCommand()).parseAsync(['withdraw', ...args], { from: 'user' });
    await expect(asked).rejects.toThrow(`Run: rialto admin retract ${number} --by YOUR_ADDRESS`);
  }
  const help = (await adminCommand()).helpInformation();
  expect(help).toContain('retract [options] <command>');
  expect(help).not.toMatch(/^ +withdraw/m);
});
