// `rialto admin rotate-master-key`: encrypts every stored secret with the current master key, while servers run.
import { Command } from 'commander';
import { noteAct } from '../../../accounts/audit/actions.ts';
import { sql } from 'kysely';
import { SEALED_TOTP } from '../../../accounts/second-factors/sealed.ts';
import { SEALED_ID_TOKENS } from '../../../accounts/sessions/sealed.ts';
import { SEALED_TRADING_KEYS } from '../../../accounts/trading-keys/sealed.ts';
import { SEALED_CHAT_KEYS, SEALED_PHRASES } from '../../../accounts/users/sealed.ts';
import { SEALED_DEVICES } from '../../../chat/notifications/devices/sealed.ts';
import { SEALED_INVITATION_LINKS } from '../../../chat/administration/invitations/sealed.ts';
import { SEALED_WEB_PUSH } from '../../../chat/notifications/web-push/sealed.ts';
import type { Context } from '../../../platform/context.ts';
import { rewrapRing } from '../../../platform/secrets/ring.ts';
import type { SealedColumn } from '../../../platform/secrets/sealed-column.ts';
import { SealError } from '../../../platform/secrets/secrets.ts';
import { CommandError } from '../../trouble.ts';
import { asProven, byOption, writes, type ByOption } from './acting.ts';
import { printFields, type JsonOption } from './output.ts';

/** Rows per transaction: other writers wait for no more than these. */
const BATCH = 500;

/**
 * Everything that is stored encrypted. Waiting emails and sign-ins under way open with either key until they end.
 */
const SEALED: readonly SealedColumn[] = [
  SEALED_TRADING_KEYS,
  SEALED_CHAT_KEYS,
  SEALED_PHRASES,
  ...SEALED_TOTP,
  SEALED_ID_TOKENS,
  SEALED_INVITATION_LINKS,
  SEALED_DEVICES,
  SEALED_WEB_PUSH,
];

export function rotateMasterKeyCommand(): Command {
  return writes(new Command('rotate-master-key'), ['master_key rotate'])
    .description(
      'seal every stored secret with MASTER_KEY, where MASTER_KEY_PREVIOUS still opens it; can be repeated',
    )
    .addOption(byOption())
    .option('--json', 'print JSON')
    .action(async (options: JsonOption & ByOption) => {
      const counts = await asProven(options, 'everything', async (ctx) => {
        if (ctx.config.MASTER_KEY_PREVIOUS === '') {
          throw new CommandError(
            'MASTER_KEY_PREVIOUS is empty: there is nothing to change from. docs/operating/master-key.md has the steps.',
          );
        }
        const done = await rotate(ctx);
        await ctx.inTransaction(async (tx) =>
          noteAct(tx, {
            act: 'master_key rotate',
            subject: 'stored secrets',
            details: { ...done },
          }),
        );
        return done;
      });
      printFields(options, {
        ...counts,
        message:
          counts.broken === 0
            ? 'Everything is sealed with MASTER_KEY. MASTER_KEY_PREVIOUS can go when no email waits.'
            : 'Some secrets open with neither key. They did not before either; their owners need new ones.',
      });
    });
}

export async function rotate(ctx: Context): Promise<{ rewrapped: number; broken: number }> {
  let rewrapped = 0;
  let broken = 0;
  for (const kind of SEALED) {
    const first = kind.type === 'text' ? '' : '0';
    for (let after: string | undefined = first; after !== undefined;) {
      const batch: Batch = await rewrapBatch(ctx, kind, after);
      rewrapped += batch.rewrapped;
      broken += batch.broken;
      after = batch.through;
    }
  }
  // Last: this value, which every start checks, marks that the rest is done; until then both keys are needed.
  if (await rewrapRing(ctx.database.pool, ctx.secrets)) rewrapped += 1;
  return { rewrapped, broken };
}

interface Batch {
  readonly rewrapped: number;
  readonly broken: number;
  /** Undefined at the end. */
  readonly through: string | undefined;
}

async function rewrapBatch(ctx: Context, kind: SealedColumn, after: string): Promise<Batch> {
  const { secrets } = ctx;
  const { table, id, type, column, from } = kind;
  const [all, key, kept] = [sql.table(table), sql.ref(id), sql.ref(column)];
  const toKey = (text: string) => sql`${text}::${sql.raw(type)}`;
  return ctx.inTransaction(async (tx) => {
    const { rows } = await sql<{ id: string; sealed: Buffer; owner: string }>`
      SELECT ${key}::text AS id, ${kept} AS sealed, ${sql.raw(from)} AS owner
        FROM ${all}
       WHERE ${key} > ${toKey(after)} AND length(${kept}) > 0
       ORDER BY ${key} LIMIT ${BATCH} FOR NO KEY UPDATE`.execute(tx);
    let rewrapped = 0;
    let broken = 0;
    for (const row of rows) {
      if (secrets.isCurrent(row.sealed)) continue;
      const owner = kind.ownerOf(row.owner);
      try {
        const sealed = secrets.seal(owner, secrets.open(owner, row.sealed));
        await sql`UPDATE ${all} SET ${kept} = ${sealed} WHERE ${key} = ${toKey(row.id)}`.execute(
          tx,
        );
        rewrapped += 1;
      } catch (error) {
        if (!(error instanceof SealError)) throw error;
        broken += 1;
      }
    }
    const through = rows.length < BATCH ? undefined : rows.at(-1)?.id;
    return { rewrapped, broken, through };
  });
}
