// Daily limits on what one person creates for everybody, such as channels. A person and their bots share one allowance.
import { sql } from 'kysely';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { badRequest } from '../../http/errors.ts';

/** `places` counts how often other people are put into channels and groups. */
export type Allowance = 'channels' | 'groups' | 'places';

const LIMIT_OF = {
  channels: 'CHAT_CHANNELS_DAILY_MAX',
  groups: 'CHAT_GROUPS_DAILY_MAX',
  places: 'CHAT_PLACES_DAILY_MAX',
} as const;

const WORDS: Readonly<Record<Allowance, string>> = {
  channels: 'make more than %s channels',
  groups: 'make more than %s user groups',
  places: 'put others into channels and groups more than %s times',
};

/** Counts `amount` against today's allowance, or refuses. A rolled-back transaction spends nothing. */
export async function spendDaily(
  tx: Tx,
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  actor: Pick<User, 'id' | 'botOwnerId'>,
  kind: Allowance,
  amount: number,
): Promise<void> {
  if (amount === 0) return;
  const max = config[LIMIT_OF[kind]];
  if (max === 0) return;
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const { rows } = await sql<{ spent: number }>`
    INSERT INTO daily_allowances AS before (user_id, kind, day, spent)
    VALUES (${actor.botOwnerId ?? actor.id}, ${kind}, ${day}::date, ${amount})
    ON CONFLICT (user_id, kind) DO UPDATE
       SET day = excluded.day,
           spent = excluded.spent + CASE WHEN before.day = excluded.day THEN before.spent ELSE 0 END
    RETURNING spent`.execute(tx);
  if ((rows[0]?.spent ?? 0) > max) {
    throw badRequest(`You cannot ${WORDS[kind].replace('%s', String(max))} on a day (UTC).`);
  }
}
