import { describe, expect, it } from 'vitest';
import { ROLE } from '../roles.ts';
import { checkAuthTime, checkIssuedAt, parseClaims, vouchesForAddress } from './claims.ts';
import { checkLogoutClaims } from './logout-token.ts';
import { countsAsFactor, groupsByRules, roleByRules } from './rules.ts';

const NOW = 1_800_000_000_000;
const SECONDS = NOW / 1000;

describe('rules', () => {
  const roles = [
    { claim: 'groups', has: 'admins', role: 'administrator' },
    { claim: 'realm_access.roles', has: 'mods', role: 'moderator' },
  ] as const;
  const roleOf = (all: Record<string, unknown>, create: 'never' | 'guest' | 'member' = 'never') =>
    roleByRules({ roles: [...roles], create }, { all });

  it('[I17] the highest role that applies counts, and without one the role of a new person', () => {
    expect(roleOf({ groups: ['admins', 'x'], realm_access: { roles: ['mods'] } })).toBe(
      ROLE.administrator,
    );
    expect(roleOf({ realm_access: { roles: ['mods'] } })).toBe(ROLE.moderator);
    expect(roleOf({ groups: 'admins' })).toBe(ROLE.administrator);
    expect(roleOf({ 'realm_access.roles': 'mods' })).toBe(ROLE.moderator);
    for (const nothing of [
      {},
      { groups: 'adminsX' },
      { groups: { admins: true } },
      { groups: null },
    ]) {
      expect(roleOf(nothing)).toBe(ROLE.member);
      expect(roleOf(nothing, 'guest')).toBe(ROLE.guest);
    }
    expect(roleByRules({ roles: [], create: 'member' }, { all: {} })).toBeUndefined();
    // Names of objects' own machinery are no claims.
    const odd = [{ claim: 'constructor.name', has: 'Object', role: 'administrator' }] as const;
    expect(roleByRules({ roles: [...odd], create: 'never' }, { all: {} })).toBe(ROLE.member);
  });

  it('[I17] groups named in rules are joined or left, and no others', () => {
    const groups = [
      { claim: 'groups', has: 'a', group: 'traders' },
      { claim: 'groups', has: 'b', group: 'traders' },
      { claim: 'groups', has: 'c', group: 'desk' },
    ];
    expect(groupsByRules({ groups }, { all: { groups: ['b'] } })).toEqual({
      join: ['traders'],
      leave: ['desk'],
    });
  });

  it('amr counts as a factor where the operator says which', () => {
    expect(countsAsFactor({ mfa: { amr: ['mfa', 'hwk'] } }, { amr: ['pwd', 'hwk'] })).toBe(true);
    expect(countsAsFactor({ mfa: { amr: ['mfa'] } }, { amr: ['pwd'] })).toBe(false);
    expect(countsAsFactor({ mfa: { amr: [] } }, { amr: ['mfa'] })).toBe(false);
  });
});

describe('claims', () => {
  it('[I15] iat lies between ten minutes ago and thirty seconds ahead', () => {
    for (const iat of [SECONDS, SECONDS - 600, SECONDS + 30]) checkIssuedAt(iat, NOW);
    for (const iat of [SECONDS - 601, SECONDS + 31, undefined, 'now', NaN, Infinity]) {
      expect(() => checkIssuedAt(iat, NOW)).toThrow('iat');
    }
  });

  it('[I15] auth_time lies after the request', () => {
    checkAuthTime(SECONDS - 30, NOW);
    for (const time of [SECONDS - 31, undefined, '1']) {
      expect(() => checkAuthTime(time, NOW)).toThrow('auth_time');
    }
  });

  it('[I16] only a verified address of a listed domain counts', () => {
    const of = (email: string, verified: unknown) =>
      vouchesForAddress(
        { domains: ['example.org'] },
        parseClaims({ sub: 's', email, email_verified: verified }),
      );
    expect(of('ada@EXAMPLE.org', true)).toBe(true);
    for (const verified of [false, 'true', 1, undefined, null, {}]) {
      expect(of('ada@example.org', verified)).toBe(false);
    }
    for (const email of [
      'ada@sub.example.org',
      'ada@example.org.evil',
      'ada@evilexample.org',
      'example.org@evil',
    ]) {
      expect(of(email, true), email).toBe(false);
    }
  });

  it.each([undefined, '', 'x'.repeat(256), 7, 'a\0b'])('[I15] the subject %j is refused', (sub) => {
    expect(() => parseClaims({ sub })).toThrow('sub');
  });
});

it('[I17] a logout names a session or a person, once, lately, for us', () => {
  const good = {
    iss: 'https://id.example',
    aud: ['x', 'rialto'],
    iat: SECONDS,
    jti: 'j',
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    sid: 's',
  };
  const terms = { issuer: 'https://id.example', clientId: 'rialto', nowMs: NOW };
  expect(checkLogoutClaims(good, terms)).toEqual({ jti: 'j', sid: 's', subject: undefined });
  for (const wrong of [
    { iss: 'https://id.example/' },
    { aud: 'rialto2' },
    { aud: ['rialto2'] },
    { iat: SECONDS - 700 },
    { exp: SECONDS - 31 },
    { exp: 'never' },
    { jti: '' },
    { nonce: '' },
    { events: [] },
    { events: null },
    { sid: undefined },
    { sid: 5 },
  ]) {
    expect(() => checkLogoutClaims({ ...good, ...wrong }, terms), JSON.stringify(wrong)).toThrow();
  }
});
