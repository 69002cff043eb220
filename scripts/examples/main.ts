// `npm run record-examples`: starts the demo, plays the scenario and writes contracts/examples. The references show
// these requests and answers, and the OpenAPI documents have them as examples.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readBook } from '../../server/src/docs/reference/endpoints.ts';
import { recordingFile, type RecordedApi } from '../../server/src/docs/reference/recorded.ts';
import { startDemo } from './demo.ts';
import { createNormaliser } from './normalise.ts';
import { createRecorder } from './recorder.ts';
import { playChat, playTrading } from './scenario.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const APIS: readonly RecordedApi[] = ['trading', 'chat'];

const startedMs = Date.now();
const running = await startDemo();
try {
  const { demo } = running;
  const normaliser = createNormaliser(new URL(demo.web_url).origin, startedMs);
  for (const api of APIS) {
    const book = readBook(api, { readFile: (path) => readFileSync(`${ROOT}${path}`, 'utf8') });
    const { director, recording } = createRecorder(book, demo, normaliser);
    await (api === 'trading' ? playTrading(director) : playChat(director, demo.users));
    const { calls, notRecorded, refusals } = recording();
    const missing = book.endpoints
      .map(({ id }) => id)
      .filter((id) => !(id in calls) && !(id in notRecorded));
    if (missing.length > 0) throw new Error(`Neither recorded nor excused: ${missing.join(', ')}.`);
    mkdirSync(`${ROOT}contracts/examples`, { recursive: true });
    const text = JSON.stringify({ calls, notRecorded, refusals }, null, 2);
    writeFileSync(`${ROOT}${recordingFile(api)}`, `${text}\n`);
    console.log(
      `${recordingFile(api)}: ${Object.keys(calls).length} operations, ${Object.keys(refusals).length} refusals.`,
    );
  }
} finally {
  await running.stop();
}
