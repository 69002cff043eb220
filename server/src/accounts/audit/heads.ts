// Signs the end of the log and publishes it. A log that does not continue the previous head is
// never signed, so a rewritten log gets no signature.
import { appendFile } from 'node:fs/promises';
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/pool.ts';
import { MINUTE_MS } from '../../platform/std/time.ts';
import { pagesOfLog } from './access.ts';
import { CHAIN_START, followChain, type ChainState } from './entry.ts';
import {
  isHeadSignedBy,
  keyIdOf,
  publicKeyOf,
  signHead,
  toPublished,
  type AuditHead,
} from './head.ts';
import { findAuditEntry, findNewestHead, insertHead, lockHeads } from './store.ts';

/** The log is not the one that was signed before; only a person can decide what to do. */
export class LogDoesNotFitError extends Error {
  override name = 'LogDoesNotFitError';
}

/**
 * Signs the log as it is now and stores the head. Undefined without a key, and while the log is
 * empty.
 */
export async function signLog(ctx: Context): Promise<AuditHead | undefined> {
  const { AUDIT_SIGNING_KEY: key } = ctx.config;
  if (key === '') return undefined;
  try {
    const head = await ctx.inTransaction(async (tx) => {
      await lockHeads(tx);
      const end = await followFromHead(tx, publicKeyOf(key));
      if (end.seq === CHAIN_START.seq) return undefined;
      const { seq, hash } = end;
      const signed = signHead(key, { seq, hash, at: new Date(Math.floor(ctx.clock.now())) });
      await insertHead(tx, signed);
      return signed;
    });
    if (head !== undefined) await publish(ctx, head);
    return head;
  } catch (error) {
    if (error instanceof LogDoesNotFitError) {
      ctx.metrics.auditHeadRefused();
      ctx.log.error({ err: error }, 'The audit log was not signed.');
    }
    throw error;
  }
}

/**
 * The end of the log, if the entries under the newest head are unchanged and the rest follows from
 * them.
 */
async function followFromHead(db: Db, publicKey: string): Promise<ChainState> {
  const head = await findNewestHead(db);
  let end = CHAIN_START;
  if (head !== undefined) {
    const isOurs = head.keyId === keyIdOf(publicKey);
    if (isOurs && !isHeadSignedBy(head, publicKey)) {
      throw new LogDoesNotFitError(
        `The stored head of entry ${head.seq} does not bear our signature.`,
      );
    }
    const entry = await findAuditEntry(db, head.seq);
    if (entry === undefined || !entry.hash.equals(head.hash)) {
      throw new LogDoesNotFitError(
        `Entry ${head.seq} is ${entry === undefined ? 'gone' : 'another'} than when it was signed at ${head.at.toISOString()}.`,
      );
    }
    end = { seq: head.seq, hash: head.hash };
  }
  for await (const page of pagesOfLog(db, end.seq)) {
    end = followChain(end, page);
    if (end.trouble !== undefined) {
      throw new LogDoesNotFitError(`Entry ${end.trouble.seq} is wrong: ${end.trouble.what}.`);
    }
  }
  return end;
}

/**
 * Publishes it in the process log and in the file, both of which may be kept out of reach of this
 * server.
 */
async function publish(ctx: Context, head: AuditHead): Promise<void> {
  const published = toPublished(head);
  tellMetrics(ctx, head);
  ctx.log.info({ head: published }, 'The audit log was signed.');
  const { AUDIT_HEAD_FILE: file } = ctx.config;
  if (file === '') return;
  try {
    await appendFile(file, `${JSON.stringify(published)}\n`);
  } catch (error) {
    ctx.log.error({ err: error, file }, 'The head of the audit log could not be written.');
  }
}

const tellMetrics = ({ metrics }: Context, { seq, at }: AuditHead): void =>
  metrics.auditHead(Number(seq), at.getTime() / 1000);

/**
 * Called every minute: signs when the newest head has reached its maximum age. Returns how many
 * were signed.
 */
export async function signLogWhenDue(ctx: Context): Promise<number> {
  if (ctx.config.AUDIT_SIGNING_KEY === '') return 0;
  const newest = await findNewestHead(ctx.db);
  const everyMs = ctx.config.AUDIT_HEAD_EVERY_MINUTES * MINUTE_MS;
  // Another process may have signed it, or this one before a restart.
  if (newest !== undefined) tellMetrics(ctx, newest);
  if (newest !== undefined && ctx.clock.now() - newest.at.getTime() < everyMs) return 0;
  return (await signLog(ctx)) === undefined ? 0 : 1;
}
