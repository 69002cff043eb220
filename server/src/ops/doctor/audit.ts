// The audit log: whether its newest part is intact, and whether the results of operators' commands are in it.
import type pg from 'pg';
import { CHAIN_START, followChain, type ChainedEntry } from '../../accounts/audit/entry.ts';
import { isHeadSignedBy, keyIdOf, publicKeyOf, type AuditHead } from '../../accounts/audit/head.ts';
import type { Config } from '../../platform/config/schema.ts';
import { broken, ok, warning, type Finding } from './finding.ts';

/** The doctor must be quick; `rialto admin audit verify` follows the whole chain. */
const ENTRIES_MAX = 10_000;
/** The worker records results every minute. */
const UNTOLD_MINUTES = 5;

interface Row {
  seq: string;
  at: Date;
  operator: string;
  act: string;
  subject: string;
  details: string;
  outcome: string;
  command_id: string | null;
  previous_hash: Buffer;
  hash: Buffer;
}

interface HeadRow {
  seq: string;
  hash: Buffer;
  at: Date;
  keyId: string;
  signature: Buffer;
  /** The hash of the entry that it names, if it exists. */
  found: Buffer | null;
  minutes: number;
}

export async function checkAudit(client: pg.Client, config: Config): Promise<Finding> {
  const { rows } = await client.query<Row>(
    `SELECT a.*, a.seq::text, a.command_id::text FROM audit_log AS a ORDER BY a.seq DESC LIMIT $1`,
    [ENTRIES_MAX],
  );
  const entries = rows.map(toEntry).reverse();
  const [first] = entries;
  if (first === undefined) {
    return (await examineHead(client, config, 0n)) ?? ok('audit log', 'It has no entry yet.');
  }
  const isWhole = entries.length < ENTRIES_MAX;
  // In a part, the first entry is trusted; in the whole log nothing is.
  const start = isWhole ? CHAIN_START : { seq: first.seq, hash: first.hash };
  const { seq, trouble } = followChain(start, isWhole ? entries : entries.slice(1));
  if (trouble !== undefined) {
    return broken('audit log', {
      what: `Entry ${trouble.seq} is wrong: ${trouble.what}.`,
      why: 'Somebody changed what operators did after the fact, past the rules of the database.',
      fix: 'Compare the table audit_log with a backup, and look into who had access to the database.',
    });
  }
  const head = await examineHead(client, config, seq);
  if (head !== undefined) return head;
  const untold = await countUntold(client);
  if (untold > 0) {
    return warning('audit log', {
      what: `The outcome of ${untold} of the operators' commands is not in it after ${UNTOLD_MINUTES} minutes.`,
      why: 'The log then says what was asked for, but not what came of it.',
      fix: 'See that a process with the role worker runs; `rialto admin audit list` also brings it up to date.',
    });
  }
  return ok(
    'audit log',
    `${seq} entries; ${isWhole ? 'all' : `the last ${ENTRIES_MAX}`} are whole.`,
  );
}

/** A head that comes a little late is not a finding. */
const LATE_FACTOR = 2;

/** What is wrong with the newest signed head, or why there is none. */
async function examineHead(
  client: pg.Client,
  config: Config,
  last: bigint,
): Promise<Finding | undefined> {
  const { AUDIT_SIGNING_KEY: key, AUDIT_HEAD_EVERY_MINUTES: everyMinutes } = config;
  const { rows } = await client.query<HeadRow>(
    `SELECT h.seq::text, h.hash, h.at, h.key_id AS "keyId", h.signature, a.hash AS found,
            extract(epoch FROM clock_timestamp() - h.at)::float8 / 60 AS minutes
       FROM audit_heads h LEFT JOIN audit_log a ON a.seq = h.seq ORDER BY h.id DESC LIMIT 1`,
  );
  const [row] = rows;
  if (row !== undefined) {
    const head: AuditHead = { ...row, seq: BigInt(row.seq) };
    const publicKey = key === '' ? undefined : publicKeyOf(key);
    const isForged =
      publicKey !== undefined &&
      head.keyId === keyIdOf(publicKey) &&
      !isHeadSignedBy(head, publicKey);
    if (isForged) {
      return broken('audit log', {
        what: `The stored head of entry ${head.seq} does not bear the signature of our key.`,
        why: 'Somebody changed it, and perhaps the log with it.',
        fix: 'Verify the log against a head that was published: `rialto admin audit verify --head FILE`.',
      });
    }
    if (row.found === null || !row.found.equals(head.hash)) {
      return broken('audit log', {
        what:
          row.found === null
            ? `The log ends with entry ${last}, but entry ${head.seq} was signed at ${head.at.toISOString()}: its end was cut off.`
            : `Entry ${head.seq} is not the one that was signed at ${head.at.toISOString()}: the log was rewritten.`,
        why: 'Somebody changed what was done after the fact, past the rules of the database.',
        fix: 'Compare the table audit_log with a backup, and look into who had access to the database.',
      });
    }
  }
  if (last === 0n) return undefined;
  if (key === '') {
    return warning('audit log', {
      what: 'Its head is not signed: AUDIT_SIGNING_KEY is empty here.',
      why: 'If somebody with the rights of a superuser cuts off its end, nobody can tell.',
      fix: 'Make a key with `rialto audit-key`, give it to the worker, and keep the public half elsewhere. If only the worker has it, run the doctor there.',
    });
  }
  if (row === undefined || row.minutes > everyMinutes * LATE_FACTOR) {
    return warning('audit log', {
      what:
        row === undefined
          ? 'No head of it was signed yet.'
          : `Its newest signed head is ${Math.floor(row.minutes)} minutes old; one is due every ${everyMinutes}.`,
      why: 'What was done since can be cut off without a trace.',
      fix: 'See that a process with the role worker runs and has AUDIT_SIGNING_KEY; its log says why it does not sign.',
    });
  }
  return undefined;
}

const toEntry = (row: Row): ChainedEntry => ({
  seq: BigInt(row.seq),
  at: row.at,
  operator: row.operator,
  act: row.act,
  subject: row.subject,
  details: row.details,
  outcome: row.outcome,
  commandId: row.command_id === null ? null : BigInt(row.command_id),
  previousHash: row.previous_hash,
  hash: row.hash,
});

async function countUntold(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int FROM operator_commands c
      WHERE requested_by_id IS NOT NULL AND status IN ('done', 'refused')
        AND done_at < clock_timestamp() - $1 * interval '1 minute'
        AND NOT EXISTS (SELECT FROM audit_log a WHERE a.command_id = c.id
                         AND a.outcome IN ('done', 'refused', 'withdrawn'))`,
    [UNTOLD_MINUTES],
  );
  return rows[0]?.count ?? 0;
}

/** The venue's kind of money, as stored, and as it shows in the ledger. */
export async function checkMoneyKind(client: pg.Client, money: string): Promise<Finding> {
  const { rows: venues } = await client.query<{ money: string }>('SELECT money FROM venue');
  const written = venues[0]?.money;
  if (written !== undefined && written !== money) {
    return broken('money', {
      what: `This database belongs to a venue with ${written} money, and MONEY is ${money}.`,
      why: 'What a venue deals in never changes: no process starts, and no command is taken.',
      fix: `Set MONEY=${written}, or use another database.`,
    });
  }
  if (money === 'simulated') {
    return warning('money', {
      what: 'Money is simulated (MONEY=simulated): operators can deposit out of nothing.',
      why: 'Balances here are worth nothing, and the API says so.',
      fix: 'Nothing, for a demonstration. A venue with real money needs MONEY=real and its own database.',
    });
  }
  const { rows } = await client.query<{ exists: boolean }>(
    `SELECT EXISTS (SELECT FROM venue_balances WHERE owner = 'custody:SIMULATED' AND amount <> 0)`,
  );
  if (rows[0]?.exists !== true) {
    const since = written === undefined ? 'It is written down at the first start.' : '';
    return ok('money', `Money is real. ${since}${await describeCapital(client)}`.trim());
  }
  return broken('money', {
    what: 'The ledger holds simulated deposits, though MONEY is real.',
    why: 'Accounts could withdraw coins that nobody ever brought.',
    fix: 'Begin with an empty database, or set MONEY=simulated if this is a demonstration.',
  });
}

/** Coins that are named; the rest is in `venue_balances`. */
const CAPITAL_COINS = 10;

async function describeCapital(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ coin: string; amount: string }>(
    `SELECT coin, trim_scale(amount * 1e-18)::text AS amount FROM venue_balances
      WHERE owner = 'capital' AND amount <> 0 ORDER BY coin LIMIT $1`,
    [CAPITAL_COINS],
  );
  if (rows.length === 0) return 'The venue has no capital of its own in the ledger.';
  return `Capital in the ledger: ${rows.map(({ coin, amount }) => `${amount} ${coin}`).join(', ')}.`;
}
