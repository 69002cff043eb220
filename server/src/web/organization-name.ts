// The organization's name, for the head of every page. Strangers request pages, so the database is asked only once
// in a while, and when it is down, the configuration's name is used.
import { readOrganization } from '../chat/organization/org/access.ts';
import type { Context } from '../platform/context.ts';

const FRESH_MS = 3000;

interface Remembered {
  readonly name: Promise<string>;
  readonly untilMs: number;
}

/** By the configuration, of which a process has one. */
const remembered = new WeakMap<Context['config'], Remembered>();

export function readName(ctx: Context): Promise<string> {
  const { config } = ctx;
  const known = remembered.get(config);
  if (known !== undefined && performance.now() < known.untilMs) return known.name;
  const name = readOrganization(ctx.db, config).then(
    ({ settings }) => String(settings['name']),
    () => config.ORGANIZATION_NAME,
  );
  remembered.set(config, { name, untilMs: performance.now() + FRESH_MS });
  return name;
}
