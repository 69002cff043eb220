// `npm run fuzz -- [--requests 20000] [--seed N] [--only TEXT] [--json]`: sends requests to every
// declared route of both APIs and to the pages: valid ones, slightly wrong ones, and hostile ones.
// The server must answer each without a server error, must not exit, and must not grow. The same
// seed draws the same requests.
import { createRandom } from '../../server/src/testing/random.ts';
import { stopAllEngines } from '../../server/src/platform/engines/engine.ts';
import { pause } from '../../server/src/platform/std/wait.ts';
import { round } from '../bench/stats.ts';
import { printFigures, printTable, type Figure } from '../figure.ts';
import { isBroken, isBusy } from './judge.ts';
import { endsCaller, KINDS, listTargets, planRequest, type Kind, type Planned } from './plan.ts';
import { Pool } from './pool.ts';
import { RAW, send, sendRaw, toBytes, type Answer, type Credentials } from './wire.ts';
import { settle } from './settle.ts';
import { ROLES, startWorld } from './world.ts';
import { parseFlags } from '../flags.ts';

const { values } = parseFlags({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});
const requests = Number(values.requests);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
for (const [name, value] of Object.entries({ requests, seed })) {
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} is a whole number`);
}

const UNDER_WAY = 8;
/** This many of a hundred requests are raw bytes that no library would send. */
const RAW_SHARE = 3;
/** Of each hundred planned ones. */
const KIND_SHARES: Readonly<Record<Kind, number>> = { valid: 40, mutated: 35, hostile: 25 };
/** Caches fill in the first part of a run; from then on memory must stay constant. */
const WARM_SHARE = 0.3;
const WARM_MIN = 500;
/** After the same work, live memory may differ by this much, and by what bounded caches hold. */
const GROWTH_MAX = 1.3;
const GROWTH_SLACK_BYTES = 24 * 2 ** 20;
const REST_MS = 3000;
/** People who are locked out are replaced; a higher share means that the credentials are wrong. */
const REPLACED_SHARE_MAX = 0.1;
/**
 * A machine with other work may be slow for a moment; a server that is slow by itself is a fault.
 */
const BUSY_SHARE_MAX = 0.002;
const SHOWN_MAX = 20;

const random = createRandom(seed);
const pool = new Pool();
const targets = listTargets().filter(({ name }) => name.includes(values.only));
if (targets.length === 0) throw new Error(`No route is called like "${values.only}".`);
console.error(`Seed ${seed}: ${requests} requests over ${targets.length} doors.`);

interface Bad {
  readonly planned: Planned | undefined;
  readonly sent: string;
  readonly answer: Answer;
}

const bad: Bad[] = [];
const statuses = new Map<string, number>();
const tally = new Map<
  Kind | 'raw',
  { sent: number; accepted: number; refused: number; failed: number }
>(
  [...KINDS, 'raw' as const].map((kind) => [kind, { sent: 0, accepted: 0, refused: 0, failed: 0 }]),
);
const answered = new Set<string>();
let replaced = 0;
let sent = 0;
let busy = 0;
let turn = 0;

const world = await startWorld();
const people: Credentials[] = [];

function drawKind(): Kind {
  let left = random.below(100);
  return KINDS.find((kind) => (left -= KIND_SHARES[kind]) < 0) ?? 'valid';
}

function note(kind: Kind | 'raw', answer: Answer, bytes: string, planned?: Planned): void {
  const line = tally.get(kind);
  if (line === undefined) return;
  line.sent += 1;
  const { status } = answer;
  statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1);
  if (isBusy(answer)) busy += 1;
  if (isBroken(kind, answer, planned?.path ?? '')) {
    line.failed += 1;
    bad.push({ planned, sent: bytes, answer });
  } else if (status >= 400 || status === 0) line.refused += 1;
  else line.accepted += 1;
}

async function one(): Promise<void> {
  if (random.below(100) < RAW_SHARE) {
    const text = random.pick(RAW)(people[3]?.basic ?? '');
    note('raw', await sendRaw(world.server.port, text), text.slice(0, 300));
    return;
  }
  const kind = drawKind();
  // Every endpoint in turn, so that even a short run calls each at least once.
  let target = targets[turn % targets.length];
  turn += 1;
  // Requests that end the caller's own credentials would soon leave nothing but refusals.
  while (
    target !== undefined &&
    endsCaller(target) &&
    answered.has(target.name) &&
    random.below(8) > 0
  ) {
    target = targets[turn % targets.length];
    turn += 1;
  }
  if (target === undefined) return;
  const at = random.below(people.length);
  const who = people[at];
  if (who === undefined) return;
  const planned = planRequest(target, kind, random, pool);
  const bytes = toBytes(planned, who, random);
  const answer = await send(world.server.port, bytes);
  const shown = `${bytes.method} ${bytes.path.slice(0, 300)} ${bytes.body.subarray(0, 600).toString()}`;
  note(kind, answer, shown, planned);
  if (answer.status > 0) answered.add(target.name);
  if (answer.status === 200) learn(answer.text, target.name);
  const isStranger = answer.status === 401 && kind === 'valid' && target.door !== 'nobody';
  if (isStranger && people[at] === who) {
    replaced += 1;
    people[at] = await world.enter(ROLES[at] ?? 400);
  }
}

function learn(text: string, name: string): void {
  if (!text.startsWith('{') || text.length > 2 ** 20) return;
  const noun = name.split(/[ -]/).at(-1) ?? '';
  pool.learn(JSON.parse(text), noun);
}

async function run(until: number): Promise<void> {
  await Promise.all(
    Array.from({ length: UNDER_WAY }, async () => {
      while (sent < until) {
        sent += 1;
        if (sent % 1000 === 0) console.error(`  ${sent} of ${requests}, ${bad.length} broken`);
        await one();
      }
    }),
  );
}

function showBad(): void {
  for (const { planned, sent: text, answer } of bad.slice(0, SHOWN_MAX)) {
    console.error(
      `\n${answer.status} ${answer.trouble ?? ''} ${planned?.target.name ?? 'raw'} (${planned?.kind ?? 'raw'}, ${Math.round(answer.ms)} ms)\n  ${text}\n  ${answer.text.slice(0, 300)}`,
    );
  }
}

const figures: Figure[] = [];
try {
  for (const role of ROLES) people.push(await world.enter(role));
  for (const { noun, text } of await settle(world.server.origin, people)) learn(text, noun);
  await run(Math.min(requests, Math.max(WARM_MIN, Math.floor(requests * WARM_SHARE))));
  await pause(REST_MS);
  const before = await world.probe();
  await run(requests);
  await pause(REST_MS);
  const after = await world.probe();
  const ready = await fetch(`${world.server.origin}/health/ready`);
  const growth = round((after.heapBytes - GROWTH_SLACK_BYTES) / before.heapBytes);
  const unanswered = targets.filter(({ name }) => !answered.has(name));
  showBad();
  for (const { name } of unanswered.slice(0, SHOWN_MAX)) console.error(`never answered: ${name}`);
  printTable([
    ['kind', 'sent', 'accepted', 'refused', 'broken'],
    ...[...tally].map(([kind, { sent: all, accepted, refused, failed }]) => [
      kind,
      String(all),
      String(accepted),
      String(refused),
      String(failed),
    ]),
  ]);
  printTable([
    ['status', 'answers'],
    ...[...statuses]
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([status, count]) => [status, String(count)]),
  ]);
  const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  figures.push(
    {
      figure: 'fuzz: broken answers',
      goal: 0,
      met: bad.length === 0,
      value: bad.length,
      requests,
      seed,
    },
    {
      figure: 'fuzz: answers of a server that has too much to do',
      goal: Math.ceil(requests * BUSY_SHARE_MAX),
      met: busy <= requests * BUSY_SHARE_MAX,
      value: busy,
    },
    {
      figure: 'fuzz: doors never answered',
      goal: 0,
      met: requests < targets.length || unanswered.length === 0,
      value: unanswered.length,
      doors: targets.length,
    },
    {
      figure: 'fuzz: server still ready',
      goal: 1,
      met: ready.status === 200,
      value: ready.status === 200 ? 1 : 0,
    },
    {
      figure: 'fuzz: memory after beside memory when warm',
      goal: GROWTH_MAX,
      met: growth <= GROWTH_MAX,
      value: growth,
      warmMiB: megabytes(before.heapBytes),
      endMiB: megabytes(after.heapBytes),
      rssWarmMiB: megabytes(before.rssBytes),
      rssEndMiB: megabytes(after.rssBytes),
    },
    {
      figure: 'fuzz: Object.prototype untouched',
      goal: 1,
      met: after.isClean,
      value: after.isClean ? 1 : 0,
    },
    {
      figure: 'fuzz: people replaced after they locked themselves out',
      goal: Math.ceil(requests * REPLACED_SHARE_MAX),
      met: replaced <= requests * REPLACED_SHARE_MAX,
      value: replaced,
    },
  );
  printTable([
    ['figure', 'value', 'goal', 'met'],
    ...figures.map(({ figure, value, goal, met }) => [
      figure,
      String(value),
      String(goal),
      met ? 'yes' : 'NO',
    ]),
  ]);
  if (values.json) printFigures(figures);
} catch (error) {
  showBad();
  throw error;
} finally {
  await world.close();
  await stopAllEngines();
}
if (figures.length === 0 || figures.some(({ met }) => !met)) {
  console.error(`Draw it again with --seed ${seed}.`);
  process.exit(1);
}
process.exit(0);
