import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { findError } from '../../trading/http/errors.ts';
import { CHAT_ERRORS } from './errors/chat.ts';
import { readBook } from './endpoints.ts';
import { readRecording, type RecordedApi } from './recorded.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const input = { readFile: (path: string) => readFileSync(join(ROOT, path), 'utf8') };

/** Longer would be lost on a reader, and might hold what nobody looked at. */
const ANSWER_CHARACTERS_MAX = 40_000;

describe.each<RecordedApi>(['trading', 'chat'])('the recorded examples of the API %s', (api) => {
  const book = readBook(api, input);
  const recording = readRecording(api, input);
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema({ $id: 'document', components: book.contract.components });
  const endpoints = new Map(book.endpoints.map((endpoint) => [endpoint.id, endpoint]));

  it('has one call of every operation, or the reason why not', () => {
    const without = [...endpoints.keys()].filter(
      (id) => !(id in recording.calls) && !(id in recording.notRecorded),
    );
    expect(without).toEqual([]);
    const both = Object.keys(recording.notRecorded).filter((id) => id in recording.calls);
    expect(both).toEqual([]);
    // The wallet and the reserves are fourteen of them: they take a network, which the demo does not have.
    expect(Object.keys(recording.notRecorded).length).toBeLessThanOrEqual(api === 'chat' ? 12 : 21);
    for (const reason of Object.values(recording.notRecorded)) expect(reason).toMatch(/\w.*\.$/);
  });

  it('names only operations and parameters that exist, and all that are required', () => {
    for (const [id, { params }] of Object.entries(recording.calls)) {
      const parameters = endpoints.get(id)?.parameters ?? [];
      const known = parameters.map(({ name }) => name);
      expect(
        Object.keys(params).filter((name) => !known.includes(name)),
        id,
      ).toEqual([]);
      const missing = parameters.filter((one) => one.isRequired && !(one.name in params));
      expect(missing, id).toEqual([]);
    }
  });

  it('has answers that fit the contract', () => {
    for (const [id, { answer, status }] of Object.entries(recording.calls)) {
      expect(status, id).toBe(200);
      const schema = endpoints.get(id)?.answer ?? false;
      const located = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;
      const validate = ajv.compile(located);
      expect(validate(answer), `${id} ${JSON.stringify(validate.errors)}`).toBe(true);
      expect(JSON.stringify(answer).length, id).toBeLessThan(ANSWER_CHARACTERS_MAX);
    }
  });

  it('has refusals of known errors, with the code that they stand under', () => {
    const refusals = Object.entries(recording.refusals);
    expect(refusals.length).toBeGreaterThan(7);
    for (const [code, { answer, operation }] of refusals) {
      const { code: told, error } = answer as { code?: string; error?: { code: string } };
      expect(told ?? error?.code).toBe(code);
      expect(endpoints.has(operation), code).toBe(true);
      expect(api === 'chat' ? code in CHAT_ERRORS : findError(code) !== undefined, code).toBe(true);
    }
  });

  it('has no address, key or secret of the machine that recorded it', () => {
    const text = JSON.stringify(recording);
    expect(/.{0,60}(?:127\.0\.0\.1|localhost|svc_secret_|\/tmp\/)/.exec(text)?.[0]).toBeUndefined();
  });
});
