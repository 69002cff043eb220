import { describe, expect, it } from 'vitest';
import { createLog } from '../observe/log.ts';
import { failureText, createOutageLog, type FailedAnswer, type OutageOptions } from './outage.ts';

const ANSWER: FailedAnswer = { requestId: 'r', method: 'GET', route: '/x', status: 503, ms: 3 };

function open(options: OutageOptions = {}) {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const outages = createOutageLog(createLog('info', {}, { destination }), options);
  return { lines, outages };
}

describe('an outage', () => {
  it('is one line with its cause when it begins, and one with counts when it ends', () => {
    const { lines, outages } = open();
    for (let n = 0; n < 1489; n += 1) {
      outages.note(ANSWER, new Error(n % 3 === 0 ? 'connect ECONNREFUSED' : 'no engine'));
    }
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 'error',
      version: expect.stringMatching(/^\d+\.\d+/) as string,
      route: '/x',
      status: 503,
      cause: 'Error: connect ECONNREFUSED',
    });
    outages.close();
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatchObject({
      level: 'warn',
      answers: 1489,
      causes: { 'Error: connect ECONNREFUSED': 497, 'Error: no engine': 992 },
    });
    outages.close();
    expect(lines).toHaveLength(2);
  });

  it('ends by itself when no request is refused any more, and the next one is reported again', async () => {
    const { lines, outages } = open({ quietMs: 20 });
    outages.note(ANSWER, new Error('away'));
    outages.note(ANSWER, new Error('away'));
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(2);
    outages.note(ANSWER, 'away again');
    expect(lines[2]).toMatchObject({ cause: 'away again' });
  });

  it('that is long is reported again now and then, and a single refusal reports no end', () => {
    const { lines, outages } = open({ everyMs: 0 });
    for (let n = 0; n < 3; n += 1) outages.note(ANSWER, undefined);
    expect(lines.map(({ answers }) => answers)).toEqual([undefined, 2, 3]);
    outages.close();
    const alone = open();
    alone.outages.note(ANSWER, new Error('once'));
    alone.outages.close();
    expect(alone.lines).toHaveLength(1);
  });

  it('with ever new causes names a few of them, shortened', () => {
    const { lines, outages } = open();
    for (let n = 0; n < 1000; n += 1) outages.note(ANSWER, new Error(`${n}${'x'.repeat(10_000)}`));
    outages.close();
    const causes = lines[1]?.['causes'] as Record<string, number>;
    expect(Object.keys(causes)).toHaveLength(6);
    expect(causes['other']).toBe(995);
    expect(JSON.stringify(lines).length).toBeLessThan(5000);
  });

  it('has a cause even where the error has no message', () => {
    expect(failureText(new AggregateError([new Error('connect ECONNREFUSED')]))).toContain(
      'ECONNREFUSED',
    );
    expect(failureText(new AggregateError([]))).toBe('unknown');
  });
});
