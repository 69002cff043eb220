// Writes contracts/: what clients can rely on, generated from the route and event declarations and
// reviewed like code. `--check` compares instead of writing.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TObject } from 'typebox';
import { TRADING_EVENTS } from '../server/src/bridges/queue/events.ts';
import {
  EVENT_SHAPES,
  eventName,
  isChatEvent,
} from '../server/src/chat/realtime/events/catalog.ts';
import { chatOpenApi, type ChatExamples } from '../server/src/chat/http/openapi.ts';
import { chatRoutes } from '../server/src/chat/routes.ts';
import { buildAdminDocument } from '../server/src/trading/administration/document.ts';
import { ADMIN_ROUTES } from '../server/src/trading/administration/list.ts';
import { buildDocument } from '../server/src/trading/docs/document.ts';
import { ROUTES } from '../server/src/trading/routes.ts';
import { streamDocument } from '../server/src/trading/streams/document.ts';

const ORIGIN = 'https://rialto.example';

const CONTRACTS: Record<string, unknown> = {
  'trading.openapi.json': buildDocument(ROUTES, `${ORIGIN}/v1`),
  'administration.openapi.json': buildAdminDocument(ADMIN_ROUTES, `${ORIGIN}/json/v1/admin`),
  'streams.json': streamDocument(`${ORIGIN.replace('https', 'wss')}/v1/ws`),
  'chat.openapi.json': chatOpenApi(chatRoutes, ORIGIN, recordedChat()),
  'events.schema.json': {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Events of the chat API',
    description:
      'Each event also has an integer `id`, which increases with gaps. Events of the venue come only to queues that name their type.',
    $defs: Object.fromEntries([
      ...[...EVENT_SHAPES]
        .filter(([name]) => isChatEvent(name.split('/', 1)[0] ?? ''))
        .map(([name, shape]) => [name, withoutDelivery(shape)]),
      ...TRADING_EVENTS.map((shape) => [
        eventName({ type: shape.properties.type.const, op: shape.properties.op.const }),
        shape,
      ]),
    ]),
  },
};

/** Recorded from the demo: `npm run record-examples`. */
function recordedChat(): ChatExamples {
  const file = fileURLToPath(new URL('../contracts/examples/chat.json', import.meta.url));
  const { calls } = JSON.parse(readFileSync(file, 'utf8')) as { calls: ChatExamples };
  return calls;
}

/** Delivery data is stored in the log with the event, and never sent. */
function withoutDelivery(shape: TObject): unknown {
  const { delivery: _kept, ...properties } = shape.properties;
  return { ...shape, properties };
}

const isCheck = process.argv.includes('--check');
const stale: string[] = [];
for (const [name, contract] of Object.entries(CONTRACTS)) {
  const file = fileURLToPath(new URL(`../contracts/${name}`, import.meta.url));
  const text = `${JSON.stringify(contract, null, 2)}\n`;
  if (!isCheck) writeFileSync(file, text);
  else if (read(file) !== text) stale.push(`contracts/${name}`);
}
if (stale.length > 0) {
  console.error(`Not fresh: ${stale.join(', ')}. Run: npm run gen`);
  process.exitCode = 1;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
