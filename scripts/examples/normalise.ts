// Makes a recording readable and steady: secrets become one and the same, times move to a fixed day, long lists are cut.
import { EXAMPLE_ORIGIN } from '../../server/src/docs/site/page.ts';

/** Milliseconds: the scenario seems to begin here. */
const BEGAN_MS = 1_760_000_000_000;
const ITEMS_MAX = 2;
const TEXT_MAX = 600;

const CHAT_KEY = 'a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4';
const QUEUE_ID = 'fb67bf8a-c031-47cc-84cf-ed80accacda8';
const HOST = new URL(EXAMPLE_ORIGIN).host;
/** By the name of the field. */
const STAND_INS: Readonly<Record<string, string>> = {
  api_key: CHAT_KEY,
  queue_id: QUEUE_ID,
  password: 'the password',
  signature: 'bm90IGEgc2lnbmF0dXJl'.repeat(4),
  key: 'k'.repeat(24),
  device_id: '1',
};

export interface Normaliser {
  /** An answer: its lists are cut. */
  cut(value: unknown): unknown;
  /** Parameters: they stay whole, because samples send them. */
  keep(value: unknown): unknown;
}

export function createNormaliser(origin: string, startedMs: number): Normaliser {
  const shiftMs = BEGAN_MS - startedMs;
  const YEAR_MS = 366 * 24 * 3_600_000;
  const isNear = (ms: number) => Math.abs(ms - startedMs) < YEAR_MS;

  function number(value: number): number {
    if (isNear(value)) return value + shiftMs;
    if (isNear(value * 1000)) return value + Math.round(shiftMs / 1000);
    return value;
  }

  function text(value: string): string {
    const moved = /^\d{13}$/.test(value) ? String(number(Number(value))) : value;
    const plain = moved
      .replaceAll(origin, EXAMPLE_ORIGIN)
      .replaceAll(new URL(origin).host, HOST)
      .replaceAll(new URL(origin).hostname, HOST)
      .replaceAll(/(?<=\/join\/)[^/"]+/g, 'k'.repeat(24));
    return plain.length > TEXT_MAX ? `${plain.slice(0, TEXT_MAX)}…` : plain;
  }

  function normalise(value: unknown, itemsMax: number, name = ''): unknown {
    const standIn = STAND_INS[name];
    if (typeof value === 'string') return standIn ?? text(value);
    if (typeof value === 'number') return number(value);
    if (Array.isArray(value)) {
      return value.slice(0, itemsMax).map((item) => normalise(item, itemsMax));
    }
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(
      ([key, member]) => [text(key), normalise(member, itemsMax, key)] as const,
    );
    // Maps by ids are cut like lists.
    const isMap = entries.every(([key]) => /^\d+$/.test(key));
    return Object.fromEntries(isMap ? entries.slice(0, itemsMax) : entries);
  }

  return {
    cut: (value) => normalise(value, ITEMS_MAX),
    keep: (value) => normalise(value, Infinity),
  };
}
