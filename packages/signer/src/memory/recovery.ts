// Two operators bring a broken memory back. They sign what they saw: which file, how much of it is left, when.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { memoryPlaces, replaceFile } from './files.ts';
import { BrokenMemoryError, Memory, beginMemory, salvage, type Timed } from './memory.ts';
import { canonicalJson, sha256 } from '../canonical.ts';
import { SignerFault } from '../fault.ts';
import { listApprovers } from '../judge/approvals.ts';
import type { Keys } from '../keys.ts';
import type { Policy } from '../policy/policy.ts';
import type { Approval } from '../request.ts';

export const Statement = Type.Object(
  {
    recover: Type.Object(
      {
        fingerprint: Type.String(),
        /** The hash of the broken file, or "missing". */
        memory: Type.String(),
        /** How many of its records are sound. */
        kept: Type.Integer(),
        nonce: Type.String(),
        issuedAt: Type.Integer(),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type Statement = Static<typeof Statement>;

const VALID_MS = 24 * 3_600_000;
const OPERATORS_NEEDED = 2;

export const recoveryDigest = (statement: Statement): Buffer => sha256(canonicalJson(statement));

const statementPath = (folder: string) => join(folder, 'recovery.json');

/** Writes down what is to be signed. The same statement is given again until it is used or too old. */
export function prepareRecovery(folder: string, keys: Keys, now: number): Statement {
  assertBroken(folder, keys);
  const facts = look(folder, keys);
  const known = readStatement(folder);
  if (known !== undefined && isAbout(known, facts) && isFresh(known, now)) return known;
  const nonce = randomBytes(16).toString('hex');
  const statement: Statement = { recover: { ...facts, nonce, issuedAt: now } };
  replaceFile(statementPath(folder), `${JSON.stringify(statement, null, 2)}\n`);
  return statement;
}

export interface Recovered {
  readonly by: readonly string[];
  readonly kept: number;
  /** Where the broken file is now, if there was one. */
  readonly broken: string | undefined;
}

/** Begins a new memory with everything that is sound in the old one. The old file stays, under another name. */
export function completeRecovery(
  folder: string,
  keys: Keys,
  policy: Policy,
  approvals: readonly Approval[],
  now: number,
): Recovered {
  assertBroken(folder, keys);
  const statement = readStatement(folder);
  const facts = look(folder, keys);
  if (statement === undefined || !isAbout(statement, facts) || !isFresh(statement, now)) {
    throw new SignerFault(
      'There is no statement about this memory of the last 24 hours. Run `rialto signer recover` without signatures first.',
    );
  }
  const approvers = listApprovers(recoveryDigest(statement), approvals, policy.operators);
  if (approvers.length < OPERATORS_NEEDED) {
    throw new SignerFault(
      `${OPERATORS_NEEDED} operators of the policy sign the statement; ${approvers.length} good signatures came.`,
    );
  }
  const by = approvers.map(({ name }) => name);
  const sound = salvage(folder, keys.memoryKey).filter(({ body }) => body.type !== 'began');
  const { fingerprint, memory, kept, nonce } = statement.recover;
  const bodies: Timed[] = [
    { body: { type: 'began', fingerprint }, at: sound[0]?.at ?? now },
    ...sound,
    { body: { type: 'recovered', by, memory, kept }, at: now },
  ];
  const { records } = memoryPlaces(folder);
  const broken = join(folder, `memory-broken-${nonce}.jsonl`);
  const hadFile = existsSync(records);
  if (hadFile) renameSync(records, broken);
  beginMemory(folder, keys.memoryKey, bodies);
  rmSync(statementPath(folder));
  return { by, kept, broken: hadFile ? broken : undefined };
}

function assertBroken(folder: string, keys: Keys): void {
  try {
    Memory.open(folder, keys.memoryKey).close();
  } catch (error) {
    if (error instanceof BrokenMemoryError) return;
    throw error;
  }
  throw new SignerFault('The memory is sound: there is nothing to recover.');
}

type Facts = Pick<Statement['recover'], 'fingerprint' | 'memory' | 'kept'>;

function look(folder: string, keys: Keys): Facts {
  const { records } = memoryPlaces(folder);
  return {
    fingerprint: keys.fingerprint.toString(16).padStart(8, '0'),
    memory: existsSync(records) ? sha256(readFileSync(records)).toString('hex') : 'missing',
    kept: salvage(folder, keys.memoryKey).length,
  };
}

const isAbout = ({ recover }: Statement, facts: Facts): boolean =>
  recover.fingerprint === facts.fingerprint &&
  recover.memory === facts.memory &&
  recover.kept === facts.kept;

const isFresh = ({ recover }: Statement, now: number): boolean =>
  recover.issuedAt <= now && now - recover.issuedAt < VALID_MS;

function readStatement(folder: string): Statement | undefined {
  const path = statementPath(folder);
  if (!existsSync(path)) return undefined;
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (Value.Check(Statement, value)) return value;
  } catch {
    // A new one is made.
  }
  return undefined;
}
