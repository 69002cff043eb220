// The operators' actions. A command is a row that the engine takes; the row and its entry in the
// audit log are one commit, so no operator's act is missing there.
import { appendAudit } from '../../accounts/audit/actions.ts';
import type { AuditNote, AuditOutcome } from '../../accounts/audit/entry.ts';
import { digestChanged } from '../../accounts/operators/errors.ts';
import { accessAgain } from '../../accounts/operators/access.ts';
import { isSameToken } from '../../accounts/sessions/token.ts';
import { ringEngine } from '../../platform/bus/bells.ts';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { pause } from '../../platform/std/wait.ts';
import { addOperatorsEvidence } from '../custody/evidence.ts';
import { encodeCommand } from '../engine/command.ts';
import { getCommand } from './access.ts';
import { isFinal, type Act, type CommandRow } from './command-row.ts';
import {
  approvalByRequester,
  cannotWithdraw,
  noSuchCommand,
  notAwaitingApproval,
  reasonMissing,
  refusedByTable,
} from './errors.ts';
import type { Operator } from '../../accounts/operators/operator.ts';
import { grantOfAct } from './grants.ts';
import { releaseApproved } from './phases.ts';
import { digestOfCommand, isExpired } from './pending.ts';
import {
  insertApproval,
  insertCommand,
  listUntold,
  lockCommand,
  updateApproved,
  updateWithdrawn,
} from './store.ts';

/**
 * Requests `act` from the engine, or from a second operator where one is needed. Returns the
 * command's number.
 */
export async function requestAct(ctx: Context, operator: Operator, act: Act): Promise<bigint> {
  const id = await ctx.inTransaction((tx) => addAct(ctx, tx, operator, act));
  ringEngine(ctx);
  return id;
}

/** Several in one commit: all are requested, or none. */
export async function requestActs(
  ctx: Context,
  operator: Operator,
  acts: readonly Act[],
): Promise<bigint[]> {
  const ids = await ctx.inTransaction(async (tx) => {
    const added: bigint[] = [];
    for (const act of acts) added.push(await addAct(ctx, tx, operator, act));
    return added;
  });
  ringEngine(ctx);
  return ids;
}

/**
 * The same inside the caller's transaction, for acts that also write definitions. Call it last, and
 * `ringEngine` after the commit.
 */
export async function addAct(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  { act, subject, command, reason = '', needsApproval = false, details = {} }: Act,
): Promise<bigint> {
  if (needsApproval && reason.trim() === '') throw reasonMissing();
  // Checked again now: a person who has lost the right since authenticating may request nothing.
  await accessAgain(tx, operator, grantOfAct(act));
  const text = encodeCommand(command);
  const id = await insertCommand(tx, {
    act,
    subject,
    reason,
    command: text,
    requestedBy: operator.email,
    requestedById: operator.id,
    status: needsApproval ? 'awaiting_approval' : 'waiting',
  }).catch((error: unknown) => {
    throw refusedByTable(error, subject) ?? error;
  });
  await appendAudit(tx, ctx.clock.now(), {
    operator: operator.email,
    act,
    subject,
    details: { ...details, command: JSON.parse(text) as unknown, reason, via: operator.via },
    outcome: needsApproval ? 'awaiting_approval' : 'requested',
    commandId: id,
  });
  return id;
}

/**
 * Approves another operator's request. A refused attempt is in the audit log too. With a digest, only what the operator
 * was shown is approved.
 */
export async function approveCommand(ctx: Context, by: Operator, id: bigint, digest?: string) {
  await orAudit(ctx, by, id, 'approve', (tx) => approve(ctx, tx, by, id, digest));
  ringEngine(ctx);
}

async function approve(ctx: Context, tx: Tx, by: Operator, id: bigint, digest: string | undefined) {
  const { command, operator } = await lockFor(tx, by, id);
  if (command.status !== 'awaiting_approval') throw notAwaitingApproval(id, command.status);
  if (isExpired(command, ctx.clock.now())) throw notAwaitingApproval(id, 'expired');
  if (command.requestedById === operator.id) throw approvalByRequester(id, operator.email);
  checkDigest(command, digest);
  const at = new Date(ctx.clock.now());
  await releaseApproved(tx, command, operator.id, at);
  const who = `${command.requestedBy} and ${operator.email}`;
  await addOperatorsEvidence(tx, command.command, { who, commandId: id });
  await insertApproval(tx, id, operator.id, at);
  await updateApproved(tx, id, operator.id, at);
  await appendAudit(tx, ctx.clock.now(), noteOn(command, operator, 'approved', {}));
}

/** The command, held, and the operator as they stand now, if they may do what it does. */
async function lockFor(tx: Tx, by: Operator, id: bigint) {
  const command = await lockCommand(tx, id);
  const operator = await accessAgain(tx, by, grantOfAct(command?.act ?? ''));
  if (command === undefined || command.requestedById === null) throw noSuchCommand(id);
  return { command, operator };
}

function checkDigest(command: CommandRow, digest: string | undefined): void {
  if (digest !== undefined && !isSameToken(digest, digestOfCommand(command))) {
    throw digestChanged(`command ${command.id}`);
  }
}

/** Retracts a command that still waits, for an approval or for the engine. Any operator with its grant may. */
export async function withdrawCommand(ctx: Context, by: Operator, id: bigint, digest?: string) {
  await orAudit(ctx, by, id, 'withdraw', async (tx) => {
    const { command, operator } = await lockFor(tx, by, id);
    if (isFinal(command.status)) throw cannotWithdraw(id, command.status);
    checkDigest(command, digest);
    await updateWithdrawn(tx, id, new Date(ctx.clock.now()));
    await appendAudit(tx, ctx.clock.now(), noteOn(command, operator, 'withdrawn', {}));
  });
}

function noteOn(
  command: CommandRow,
  operator: Pick<Operator, 'email' | 'via'>,
  outcome: AuditOutcome,
  details: Readonly<Record<string, unknown>>,
): AuditNote {
  return {
    operator: operator.email,
    act: command.act,
    subject: command.subject,
    details: { ...details, via: operator.via },
    outcome,
    commandId: command.id,
  };
}

async function orAudit(
  ctx: Context,
  { email, via }: Operator,
  id: bigint,
  act: string,
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  try {
    await ctx.inTransaction(work);
  } catch (error) {
    if (error instanceof Refusal) {
      await ctx.inTransaction((tx) =>
        appendAudit(tx, ctx.clock.now(), {
          operator: email,
          act,
          subject: `command ${id}`,
          details: { refusal: error.code, message: error.message, via },
          outcome: 'denied',
        }),
      );
    }
    throw error;
  }
}

const TOLD_AT_ONCE = 100;

/**
 * Writes the engine's answers to operators into the audit log. The engine does not do it itself: it
 * would have to wait for other writers. Repeating this, or doing it from several places, is
 * harmless.
 */
export async function tellOutcomes(ctx: Context, id?: bigint): Promise<number> {
  const limit = TOLD_AT_ONCE;
  const untold = await listUntold(ctx.db, id === undefined ? { limit } : { id, limit });
  let told = 0;
  for (const { id: commandId } of untold) {
    await ctx.inTransaction(async (tx) => {
      // Locked, so that the second of two concurrent runs finds it recorded.
      await lockCommand(tx, commandId);
      const [command] = await listUntold(tx, { id: commandId, limit: 1 });
      if (command === undefined) return;
      const engine = { email: command.requestedBy, via: 'engine' };
      const outcome = command.status === 'refused' ? 'refused' : 'done';
      const details = { result: command.result ?? null };
      await appendAudit(tx, ctx.clock.now(), noteOn(command, engine, outcome, details));
      told += 1;
    });
  }
  return told;
}

const POLL_MS = 50;

/** Waits until a command has ended, at most `waitMs`; returns it as it then is. */
export async function awaitCommand(ctx: Context, id: bigint, waitMs: number): Promise<CommandRow> {
  const untilMs = performance.now() + waitMs;
  for (;;) {
    const command = await getCommand(ctx.db, id);
    if (isFinal(command.status)) {
      await tellOutcomes(ctx, id);
      return command;
    }
    if (command.status === 'awaiting_approval' || performance.now() >= untilMs) return command;
    await pause(POLL_MS);
  }
}
