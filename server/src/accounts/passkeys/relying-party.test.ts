import { expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../platform/config/load.ts';
import type { Context } from '../../platform/context.ts';
import { relyingPartyOf } from './relying-party.ts';

const MINIMAL = { DATABASE_URL: 'postgres://u:p@127.0.0.1/db', MASTER_KEY: 'ab'.repeat(32) };

const partyAt = (settings: Record<string, string>) =>
  relyingPartyOf({ config: loadConfig({ ...MINIMAL, ...settings }) } as Context);

it.each([
  ['a host', 'https://rialto.example.com', 'https://rialto.example.com'],
  ['a host at another port', 'https://rialto.example.com:8443', 'https://rialto.example.com:8443'],
  ['a host with the port of https', 'https://rialto.example.com:443', 'https://rialto.example.com'],
  ['localhost', 'http://localhost:8080', 'http://localhost:8080'],
  ['a name below localhost', 'http://a.rialto.localhost', 'http://a.rialto.localhost'],
])('%s has passkeys', (_what, url, origin) => {
  expect(partyAt({ PUBLIC_URL: url })).toEqual({ rpId: new URL(url).hostname, origins: [origin] });
});

it.each([
  ['an address', 'https://192.0.2.7'],
  ['an address of version 6', 'https://[2001:db8::1]'],
  ['the own machine by its address', 'http://127.0.0.1:8080'],
  ['plain http', 'http://rialto.example.com'],
  ['a name that only begins like localhost', 'http://localhost.example.com'],
  ['no name yet', ''],
])('%s has none', (_what, url) => {
  expect(partyAt({ PUBLIC_URL: url })).toBeUndefined();
});

it('a parent, and further origins below it', () => {
  expect(
    partyAt({
      PUBLIC_URL: 'https://trade.example.com',
      WEBAUTHN_RP_ID: 'example.com',
      WEBAUTHN_ORIGINS: 'https://desk.example.com,https://example.com:8443',
    }),
  ).toEqual({
    rpId: 'example.com',
    origins: ['https://trade.example.com', 'https://desk.example.com', 'https://example.com:8443'],
  });
});

it.each([
  ['a sibling', { WEBAUTHN_RP_ID: 'desk.example.com' }, 'must be the host of PUBLIC_URL'],
  ['a name that only ends alike', { WEBAUTHN_RP_ID: 'ample.com' }, 'or a parent of it'],
  ['a foreign origin', { WEBAUTHN_ORIGINS: 'https://evil.test' }, 'is not trade.example.com'],
  ['no public address', { PUBLIC_URL: '', WEBAUTHN_RP_ID: 'example.com' }, 'need PUBLIC_URL'],
  ['a path', { WEBAUTHN_ORIGINS: 'https://trade.example.com/x' }, 'origins without a path'],
])('refuses %s at the start', (_what, settings, words) => {
  const start = () => partyAt({ PUBLIC_URL: 'https://trade.example.com', ...settings });
  expect(start).toThrow(ConfigError);
  expect(start).toThrow(words);
});
