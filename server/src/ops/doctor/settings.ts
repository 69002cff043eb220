// Checks the settings: valid, and probably intended.

import type { Config } from '../../platform/config/schema.ts';
import { findSettingWarnings } from '../../platform/config/warnings.ts';
import type { Environment } from '../environment.ts';
import { isUnguarded, UNGUARDED_NAMES } from '../../platform/config/neighbours.ts';
import { ok, warning, type Finding } from './finding.ts';

const LOOPBACK = /^(127\.|localhost$|::1$|\[::1\]$)/;

/** Settings that are allowed but probably not intended. */
export function checkSettings(config: Config, environment: Environment): Finding[] {
  const findings = findSettingWarnings(environment).map((trouble) =>
    warning('configuration', trouble),
  );
  const isOpen = !LOOPBACK.test(config.HOST);
  if (isOpen && config.PUBLIC_URL === '') {
    findings.push(
      warning('configuration', {
        what: `HOST is ${config.HOST} and PUBLIC_URL is empty.`,
        why: 'Links and the API description would name an address that clients cannot reach.',
        fix: 'Set PUBLIC_URL to the origin that clients use, such as https://rialto.example.com.',
      }),
    );
  }
  if (
    config.PUBLIC_URL.startsWith('http:') &&
    !LOOPBACK.test(new URL(config.PUBLIC_URL).hostname)
  ) {
    findings.push(
      warning('configuration', {
        what: 'PUBLIC_URL begins with http:, not https:.',
        why: 'Passwords and keys would travel where others can read them.',
        fix: 'Put a proxy with a certificate in front, and set PUBLIC_URL to its https: address.',
      }),
    );
  }
  for (const name of UNGUARDED_NAMES) {
    if (!isUnguarded(config[name])) continue;
    findings.push(
      warning('configuration', {
        what: `${name} names another machine and holds no credentials.`,
        why: 'Everybody on that network can listen, keep messages back and fill the rate limits of others.',
        fix: 'Give the server a password, write it into the URL, and remove ALLOW_UNAUTHENTICATED_BUS.',
      }),
    );
  }
  if (new Set(config.MASTER_KEY).size < 8) {
    findings.push(
      warning('configuration', {
        what: 'MASTER_KEY looks as if it was typed, not drawn.',
        why: 'An attacker who guesses it and has a copy of the database can read every stored secret.',
        fix: 'Use a key from `openssl rand -hex 32`, before there are secrets that need this one.',
      }),
    );
  }
  return findings.length > 0 ? findings : [ok('configuration', 'Every setting is valid.')];
}
