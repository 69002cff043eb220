// The samples of the references, run one after the other against the demo: the whole scenario of the recording, once
// for each language; the gate takes one language a day. The recorded answers still have the shape of today's.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createNormaliser } from '../scripts/examples/normalise.ts';
import { createRecorder } from '../scripts/examples/recorder.ts';
import { createSampleRunner, type SampleLanguage } from '../scripts/examples/sample-runner.ts';
import { playChat, playTrading } from '../scripts/examples/scenario.ts';
import { readBook } from '../server/src/docs/reference/endpoints.ts';
import { readRecording, type RecordedApi } from '../server/src/docs/reference/recorded.ts';
import { isThorough } from '../server/src/testing/thorough.ts';
import { startStoredDemo, type DemoProcess } from './demo-process.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const input = { readFile: (path: string) => readFileSync(join(ROOT, path), 'utf8') };
const APIS: readonly RecordedApi[] = ['trading', 'chat'];
const SCENARIO_MS = 600_000;

const LANGUAGES: readonly SampleLanguage[] = ['curl', 'TypeScript', 'Python'];
const today = Math.floor(Date.now() / 86_400_000);
const taken = LANGUAGES.filter((_, index) => isThorough || index === today % LANGUAGES.length);

describe.each(taken)('the samples in %s', (language) => {
  let running: DemoProcess;
  let folder: string;

  beforeAll(async () => {
    running = await startStoredDemo();
    // Inside the repository, so that `@rialto/sdk` is found.
    folder = mkdtempSync(join(ROOT, 'packages', '.samples-'));
  }, 180_000);
  afterAll(() => {
    running.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(APIS)(
    'of the API %s do what they say',
    async (api) => {
      const { demo } = running;
      const book = readBook(api, input);
      const normaliser = createNormaliser(new URL(demo.web_url).origin, Date.now());
      const plain = createRecorder(book, demo, normaliser);
      const samples = createSampleRunner(language, book, demo, plain.director, folder);
      onTestFinished(samples.close);
      await (api === 'trading'
        ? playTrading(samples.director)
        : playChat(samples.director, demo.users));
      expect(samples.count()).toBeGreaterThan(api === 'trading' ? 55 : 150);
      const stored = readRecording(api, input);
      const now = plain.recording();
      for (const [code, { answer }] of Object.entries(now.refusals)) {
        expect(shapeOf(stored.refusals[code]?.answer), code).toEqual(shapeOf(answer));
      }
      expect(Object.keys(stored.refusals)).toEqual(Object.keys(now.refusals));
    },
    SCENARIO_MS,
  );
});

/** The names of an answer's fields, without their values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}
