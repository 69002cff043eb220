import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findProviderProblems, readProviders } from './oidc-providers.ts';

const folder = mkdtempSync(join(tmpdir(), 'rialto-providers-'));
const secretFile = join(folder, 'secret');
writeFileSync(secretFile, 'a secret\n');
afterAll(() => rmSync(folder, { recursive: true }));

const good = () => ({
  id: 'acme',
  name: 'Acme',
  issuer: 'https://id.acme.example',
  clientId: 'rialto',
  clientSecretFile: secretFile,
});

function settingsOf(content: unknown, more: Record<string, string> = {}) {
  const file = join(folder, 'providers.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return { OIDC_PROVIDERS_FILE: file, OIDC_ALLOW_HTTP: 'false', MONEY: 'real', ...more };
}
const problemsOf = (content: unknown, more?: Record<string, string>): string =>
  findProviderProblems(settingsOf(content, more)).join('\n');

it('a short entry gets careful defaults', () => {
  const { providers, problems } = readProviders(settingsOf([good()]));
  expect(problems).toEqual([]);
  expect(providers).toEqual([
    {
      id: 'acme',
      name: 'Acme',
      icon: null,
      issuer: 'https://id.acme.example',
      clientId: 'rialto',
      clientSecret: 'a secret',
      scopes: ['openid', 'email', 'profile'],
      algorithm: 'RS256',
      domains: [],
      link: 'never',
      create: 'never',
      mfa: { amr: [] },
      roles: [],
      groups: [],
    },
  ]);
});

it('no file is no provider and no problem', () => {
  const settings = { OIDC_PROVIDERS_FILE: '', OIDC_ALLOW_HTTP: 'false', MONEY: 'real' };
  expect(findProviderProblems(settings)).toEqual([]);
  expect(readProviders(settings).providers).toEqual([]);
});

it.each([
  ['no JSON', '[', 'cannot be read as JSON'],
  ['no list', {}, 'must be a list'],
  ['too many', Array.from({ length: 21 }, good), 'at most 20'],
  ['an id with a slash', [{ ...good(), id: 'a/b' }], 'id must match'],
  ['a slip', [{ ...good(), domain: ['x'] }], 'domain'],
  ['an owner by rule', [{ ...good(), roles: [{ claim: 'g', has: 'x', role: 'owner' }] }], 'role'],
  [
    'a group of roles',
    [{ ...good(), groups: [{ claim: 'g', has: 'x', group: 'role:owners' }] }],
    'role:owners',
  ],
  ['no openid', [{ ...good(), scopes: ['email'] }], '"openid"'],
  ['linking without domains', [{ ...good(), link: 'verified_email' }], 'needs domains'],
  ['http', [{ ...good(), issuer: 'http://id.acme.example' }], 'https://'],
  ['none as algorithm', [{ ...good(), algorithm: 'none' }], 'algorithm'],
  [
    'no secret',
    [{ ...good(), clientSecretFile: '/nowhere/secret' }],
    'clientSecretFile cannot be read',
  ],
  [
    'one id twice',
    [good(), { ...good(), issuer: 'https://b.example' }],
    'the id acme is there twice',
  ],
  ['one issuer twice', [good(), { ...good(), id: 'b' }], 'is there twice'],
])('%s is reported, with the file and the provider', (_name, content, said) => {
  const problems = problemsOf(content);
  expect(problems).toContain(said);
  expect(problems).toMatch(/^OIDC_PROVIDERS_FILE .*providers\.json: /);
  expect(problems).not.toContain('a secret');
});

it('http is for development, and never with real money', () => {
  const content = [{ ...good(), issuer: 'http://127.0.0.1:9000' }];
  expect(problemsOf(content, { OIDC_ALLOW_HTTP: 'true', MONEY: 'simulated' })).toBe('');
  expect(problemsOf(content, { OIDC_ALLOW_HTTP: 'true' })).toContain('MONEY=real');
});
