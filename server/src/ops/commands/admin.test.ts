import { expect, it } from 'vitest';
import { adminCommand } from './admin.ts';

it('loads a command alone as it is among all, with the others of its file', async () => {
  const all = (await adminCommand()).commands.map((command) => command.name());
  expect(all.length).toBeGreaterThan(20);
  for (const name of all) {
    const some = (await adminCommand(name)).commands.map((command) => command.name());
    expect(some, name).toContain(name);
    expect(some.length, name).toBeLessThan(all.length / 2);
  }
});

it('loads all of them for a list, and for a command that does not exist', async () => {
  const all = (await adminCommand()).helpInformation();
  for (const asked of ['--help', 'help', 'no-such', '', 'constructor']) {
    expect((await adminCommand(asked)).helpInformation()).toBe(all);
  }
});
