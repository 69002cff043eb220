import { describe, expect, it } from 'vitest';
import { parseAssertion } from '../passkeys/shapes.ts';
import { actOf, hashAct } from './act.ts';
import type { Factors } from './factor.ts';
import { freshUntil } from './step-up.ts';

const NONE: Factors = { totp: false, passkeys: 0, recoveryCodes: 0 };
const TOTP: Factors = { ...NONE, totp: true };
const at = new Date(1_000_000);

describe('[I7] how long a proof counts', () => {
  it('ends the given minutes after it, and never before', () => {
    const until = freshUntil({ methods: ['password', 'totp'], factorAt: at }, TOTP, 10);
    expect(until).toBe(at.getTime() + 600_000);
  });

  it('a password counts for accounts without a factor only', () => {
    const session = { methods: ['password'] as const, factorAt: at };
    expect(freshUntil(session, NONE, 10)).toBeDefined();
    // The factor was added after this session was opened.
    expect(freshUntil(session, TOTP, 10)).toBeUndefined();
    expect(freshUntil(session, { ...NONE, passkeys: 1 }, 10)).toBeUndefined();
    // Codes for recovery alone are no factor.
    expect(freshUntil(session, { ...NONE, recoveryCodes: 10 }, 10)).toBeDefined();
  });

  it('without any proof there is none', () => {
    expect(freshUntil({ methods: ['password', 'totp'], factorAt: null }, TOTP, 10)).toBeUndefined();
  });
});

describe('[I7] what an assertion is bound to', () => {
  const act = {
    method: 'POST',
    path: '/json/v1/private/api_key/create',
    params: [
      ['label', 'desk'],
      ['permissions', 'read,trade'],
    ] as [string, string][],
  };
  const hash = hashAct(act).toString('hex');

  it('is the same whatever the order of the parameters', () => {
    const turned = { ...act, params: [...act.params].reverse() };
    expect(hashAct(turned).toString('hex')).toBe(hash);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ['another method', { ...act, method: 'DELETE' }],
    ['another path', { ...act, path: '/json/v1/private/api_key/delete' }],
    [
      'another value',
      {
        ...act,
        params: [
          ['label', 'desk'],
          ['permissions', 'withdraw'],
        ],
      },
    ],
    ['a parameter less', { ...act, params: [['label', 'desk']] }],
    ['a parameter more', { ...act, params: [...act.params, ['x', '']] }],
    ['a name moved into a value', { ...act, params: [['label', 'desk&permissions=read,trade']] }],
    [
      'values exchanged',
      {
        ...act,
        params: [
          ['label', 'read,trade'],
          ['permissions', 'desk'],
        ],
      },
    ],
  ] as [string, typeof act][])('is another for %s', (_what, other) => {
    expect(hashAct(other).toString('hex')).not.toBe(hash);
  });

  it('is taken from the request and not from the assertion', () => {
    const request = {
      url: '/json/x?a=1',
      caller: '203.0.113.7',
      headers: { 'x-svc-assertion': '{"boundTo":"mine"}' },
    };
    const { answer, path } = actOf({ PUBLIC_URL: '' }, request, 'POST', [['a', '1']]);
    expect(path).toBe('/json/x');
    expect(answer).toEqual({
      kind: 'passkey',
      assertion: '{"boundTo":"mine"}',
      boundTo: hashAct({ method: 'POST', path: '/json/x', params: [['a', '1']] }),
    });
  });

  it('a code in its header wins, and garbage is no assertion', () => {
    const headers = { 'x-svc-otp': ' 123456 ', 'x-svc-assertion': '{}' };
    const request = { url: '/json/x', caller: '::1', headers };
    expect(actOf({ PUBLIC_URL: '' }, request, 'GET', []).answer).toEqual({
      kind: 'totp',
      code: '123456',
    });
    expect(parseAssertion('{')).toBeUndefined();
    expect(parseAssertion(`"${'x'.repeat(40_000)}"`)).toBeUndefined();
  });
});
