import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ERRORS, isErrorName, OPERATOR_ERRORS } from '../../../trading/http/errors.ts';
import { CHAT_ERRORS } from './chat.ts';
import { TRADING_ERRORS } from './trading.ts';

const SERVER = fileURLToPath(new URL('../../..', import.meta.url));
/** Files whose refusals reach clients of the chat. */
const SOURCES = globSync('{chat,accounts,platform,web}/**/*.ts', { cwd: SERVER }).filter(
  (file) => !file.includes('.test.') && !file.includes('/test-'),
);
/** Those of operators and of trading keys are told by the trading API, under its own codes. */
const OF_OTHERS =
  /^accounts\/(?:operators|recoveries|command-lines|trading-keys)\/|^web\/trading-keys\.ts/;
/** What the push relay refuses stands in events, never in an answer. */
const OF_THE_RELAY = ['INVALID_BOUNCER_PUBLIC_KEY', 'INVALID_ZULIP_SERVER'];

const codesIn = (file: string): string[] => {
  const text = readFileSync(join(SERVER, file), 'utf8');
  if (!text.includes('Refusal')) return [];
  return [
    ...text.matchAll(/\bcode: '([A-Z_]{4,})'/g),
    ...text.matchAll(/\b(?:refuse|keyRefused)\('([A-Z_]{4,})'/g),
    ...text.matchAll(/\? '([A-Z_]{4,})' : '[A-Z_]{4,}', message/g),
  ].map(([, code = '']) => code);
};

const used = new Set(
  SOURCES.filter((file) => !OF_OTHERS.test(file)).flatMap((file) => codesIn(file)),
);

describe('the catalogue of errors', () => {
  it('has every code that the chat refuses with', () => {
    expect(used.size).toBeGreaterThan(35);
    expect([...used].filter((code) => !(code in CHAT_ERRORS) && !isErrorName(code))).toEqual([]);
  });

  it('has no code that nothing refuses with', () => {
    const everywhere = new Set(SOURCES.flatMap(codesIn));
    const known = Object.keys(CHAT_ERRORS);
    expect(known.filter((code) => !everywhere.has(code))).toEqual([]);
    expect(known.filter((code) => OF_THE_RELAY.includes(code))).toEqual([]);
  });

  it('has every code of the venue once', () => {
    const names = [...ERRORS, ...OPERATOR_ERRORS].map(({ name }) => name);
    expect(Object.keys(TRADING_ERRORS).sort()).toEqual([...names].sort());
  });

  it('gives each a cause and a cure, in whole sentences', () => {
    for (const [name, { cause, cure }] of [
      ...Object.entries(TRADING_ERRORS),
      ...Object.entries(CHAT_ERRORS),
    ]) {
      for (const text of [cause, cure]) {
        expect(text, name).toMatch(/^[A-Z`*[].*[.)`]$/s);
        expect(text.length, name).toBeGreaterThan(12);
      }
      expect(cure, name).not.toBe(cause);
    }
  });
});
