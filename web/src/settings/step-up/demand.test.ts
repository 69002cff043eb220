import { ChatError } from '@rialto/sdk';
import { expect, test } from 'vitest';
import { demandIn } from './demand.ts';

const refusal = (code: string, details: Record<string, unknown>) =>
  new ChatError({
    name: code,
    code,
    message: 'Prove again that it is you.',
    details,
    isRetryable: false,
    outcome: 'none',
  });

test('reads what is asked for, in our order', () => {
  const details = { level: 'fresh', methods: ['totp', 'passkey', 'smoke'], enrol: false };
  expect(demandIn(refusal('SECOND_FACTOR_REQUIRED', details))).toEqual({
    level: 'fresh',
    methods: ['passkey', 'totp'],
    enrol: false,
  });
  expect(demandIn(refusal('3009', { level: 'each', methods: [], enrol: true }))).toEqual({
    level: 'each',
    methods: [],
    enrol: true,
  });
});

test('any other refusal demands nothing', () => {
  expect(demandIn(refusal('BAD_REQUEST', {}))).toBeUndefined();
  expect(demandIn(new Error('x'))).toBeUndefined();
});
