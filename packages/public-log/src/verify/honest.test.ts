import { expect, it } from 'vitest';
import { drawLog, venueKeys } from '../test-log.ts';
import { verifyLog } from './verify.ts';

it.each([0n, 1n, 2n, 3n, 4n, 6n, 7n, 8n, 9n, 10n])(
  'accepts the log of an honest venue, from the first event and from the middle (seed %d)',
  (seed) => {
    const lines = drawLog(seed, 3_000);
    const events = lines.filter((line) => line.startsWith('{"text"')).length;
    const whole = verifyLog(lines, { keys: venueKeys });
    expect(whole).toMatchObject({ ok: true, events, meaningFromSeq: 1, signaturesChecked: true });
    if (!whole.ok) return;
    expect(whole.heads).toBe(6);
    // From a checkpoint on, with the chain before it checked and with it cut off.
    const middle = verifyLog(lines, { keys: venueKeys, fromSeq: 2 });
    expect(middle).toMatchObject({ ok: true, events, lastHash: whole.lastHash });
    expect(middle.ok && middle.meaningFromSeq).toBeGreaterThan(1);
    const books = lines.flatMap((line, i) => (line.startsWith('{"book"') ? [i] : []));
    const cut = books[3]! - 1;
    const { hash, text } = JSON.parse(lines[cut - 1]!) as { hash: string; text: string };
    const { seq } = JSON.parse(text) as { seq: string };
    const previous = JSON.stringify({ previous: { seq, hash } });
    const stretch = verifyLog([previous, ...lines.slice(cut)], { keys: venueKeys });
    expect(stretch).toMatchObject({
      ok: true,
      meaningFromSeq: Number(seq) + 1,
      lastSeq: whole.lastSeq,
      lastHash: whole.lastHash,
    });
  },
);
