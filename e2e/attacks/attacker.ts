// One attack in its own process, which runs until it is killed. It prints a line when it has begun,
// and every second how its requests were answered.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { askFrom, chatCall, type Answer } from './ask.ts';
import type { Order, Plan } from './plan.ts';

const ADDRESS = '127.9.0.1';
const { origin, plan } = JSON.parse(process.argv[2] ?? '') as Order;
const ask = askFrom(ADDRESS, origin);
const counts = new Map<string, number>();

const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

/** Counts the answers; after "try later" it waits as told, or a little less. */
async function note(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    const answer = await asked;
    count(String(answer.status));
    if (answer.status === 429) await sleep(REFUSED_MS);
    return answer;
  } catch {
    count('cut');
    await sleep(REFUSED_MS);
    return undefined;
  }
}
const REFUSED_MS = 250;

function parallel(many: number, work: (index: number) => Promise<unknown>): void {
  for (let index = 0; index < many; index += 1) {
    void (async () => {
      for (;;) await work(index);
    })();
  }
}

/** Quoted phrases of words that the messages have, `characters` long in all. */
function phrases(characters: number, most = Infinity): string {
  const all: string[] = [];
  for (let n = 0; all.join(' ').length < characters && all.length < most; n += 1) {
    all.push(`"lorem ipsum ${n % 9} dolor"`);
  }
  return all
    .join(' ')
    .slice(0, characters)
    .replace(/"[^"]*$/, '');
}

function search({ guest }: Extract<Plan, { kind: 'search' }>): void {
  const PARALLEL = 22;
  const GONE_MS = 200;
  const call = chatCall(ask, guest);
  const hostile = Array.from({ length: 100 }, () => ({
    operator: 'search',
    operand: phrases(1000),
    negated: true,
  }));
  // The longest narrow allowed, so it is not refused for its shape.
  const largest = [
    { operator: 'search', operand: 'lorem "ipsum 3 dolor" "4 dolor"' },
    { operator: 'search', operand: '%% "lorem"', negated: true },
    { operator: 'search', operand: 'amet "sit amet"', negated: true },
  ];
  parallel(PARALLEL, (index) => {
    const narrow = index % 3 === 0 ? largest : hostile;
    const page = { method: 'GET', anchor: 'newest', num_before: 5000, narrow };
    const signal = index % 4 === 0 ? AbortSignal.timeout(GONE_MS) : undefined;
    return note(call('POST', '/messages', page, signal));
  });
}

async function edits(given: Extract<Plan, { kind: 'edits' }>): Promise<void> {
  const EDITS = 120;
  const { author, readers, messageId, pollId } = given;
  const own = chatCall(ask, author);
  void (async () => {
    for (let n = 0; n < EDITS; n += 1) {
      const content = `${n} ${'😂'.repeat(9900)}`;
      await note(own('PATCH', `/messages/${messageId}`, { content }));
    }
  })();
  parallel(readers.length * 2, (index) => {
    const call = chatCall(ask, readers[index % readers.length] ?? '');
    switch (index % 4) {
      case 0:
        return note(call('GET', `/messages/${messageId}/history`));
      case 1:
        return note(call('GET', '/messages', { anchor: messageId, num_before: 50, num_after: 50 }));
      case 2:
        return note(call('GET', `/messages/${pollId}`));
      default:
        return note(call('GET', '/messages', { anchor: 'newest', num_before: 5000 }));
    }
  });
}

function strangers({ userId }: Extract<Plan, { kind: 'strangers' }>): void {
  const CONNECTIONS = 64;
  const UPLOADS = 4;
  const IDLE = 300;
  const paths = ['/health/ready', '/login/', `/avatar/${userId}`];
  parallel(CONNECTIONS, (index) => note(ask(paths[index % paths.length] ?? '/')));
  const boundary = 'attack';
  const body = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n`,
    ),
    Buffer.alloc(5 * 1024 * 1024 - 4096, 1),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  parallel(UPLOADS, () => note(ask('/api/v1/users/me/avatar', { method: 'POST', headers, body })));
  const { hostname, port } = new URL(origin);
  for (let n = 0; n < IDLE; n += 1) {
    connect({ host: hostname, port: Number(port), localAddress: ADDRESS }).on('error', () => {});
  }
}

/** Eight programs of one person: four that wait for events, four that ask all the time. */
function polls({ poller }: Extract<Plan, { kind: 'polls' }>): void {
  const PROGRAMS = 8;
  const call = chatCall(ask, poller);
  const queues = new Map<number, { queue_id: string; last_event_id: number }>();
  parallel(PROGRAMS, async (index) => {
    const known = queues.get(index);
    if (known === undefined) {
      const answer = await note(call('POST', '/register', { event_types: ['message'] }));
      if (answer?.status === 200) queues.set(index, JSON.parse(answer.text) as typeof known & {});
      return;
    }
    const { queue_id, last_event_id } = known;
    const asked = { queue_id, last_event_id, dont_block: index % 2 === 0 };
    const answer = await note(call('GET', '/events', asked));
    if (answer?.status !== 200) return;
    const { events } = JSON.parse(answer.text) as { events: { id: number }[] };
    queues.set(index, { queue_id, last_event_id: events.at(-1)?.id ?? last_event_id });
  });
}

/** One person after the other marks everything as read, or mutes the author of it all. */
function readers(given: Extract<Plan, { kind: 'readers' }>): void {
  const PARALLEL = 2;
  let next = 0;
  parallel(PARALLEL, async () => {
    const basic = given.readers[next % given.readers.length] ?? '';
    next += 1;
    const call = chatCall(ask, basic);
    const muted = `/users/me/muted_users/${given.writerId}`;
    if (next % 2 === 0) await note(call('POST', '/mark_all_as_read'));
    else {
      await note(call('POST', muted));
      await note(call('DELETE', muted));
    }
    if (next > given.readers.length) await sleep(REFUSED_MS);
  });
}

switch (plan.kind) {
  case 'search':
    search(plan);
    break;
  case 'edits':
    await edits(plan);
    break;
  case 'strangers':
    strangers(plan);
    break;
  case 'polls':
    polls(plan);
    break;
  default:
    readers(plan);
}
const tell = () => console.log(JSON.stringify(Object.fromEntries(counts)));
tell();
setInterval(tell, 1000);
