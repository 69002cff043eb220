// The key with which the venue signs for the public: the heads of the log, and receipts of orders. It is another key
// than that of the audit log, because more processes have it.
import type { KeyObject } from 'node:crypto';
import { toSigningKey } from '@rialto/public-log';
import { openPrivateKey } from '../../accounts/audit/head.ts';
import type { Context } from '../../platform/context.ts';
import { insertKey } from './store.ts';

type KeyContext = Pick<Context, 'clock' | 'config' | 'database'>;

/** The private key; undefined when none is configured. */
export function findSigningKey({ config }: Pick<Context, 'config'>): KeyObject | undefined {
  const { PUBLIC_SIGNING_KEY: text } = config;
  return text === '' ? undefined : openPrivateKey(text);
}

/** Lists the public half among the venue's keys, once; before anything that it signed leaves. */
export async function publishKey(ctx: KeyContext): Promise<void> {
  const key = findSigningKey(ctx);
  if (key === undefined) return;
  const fromMs = Math.floor(ctx.clock.now());
  await insertKey(ctx.database.pool, { ...toSigningKey(key), fromMs });
}
