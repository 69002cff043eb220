// The directory's settings, from the configuration.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { Config } from '../../platform/config/schema.ts';

export interface DirectorySettings {
  readonly url: string;
  /** Upgrades a plain connection to TLS before anything secret is sent on it. */
  readonly startTls: boolean;
  readonly tls: ConnectionOptions;
  /** The searching account; empty for a directory that anybody may search. */
  readonly bindDn: string;
  readonly bindPassword: string;
  readonly base: string;
  readonly filter: string;
  readonly emailAttribute: string;
  readonly nameAttribute: string;
  readonly idAttribute: string;
  readonly timeoutMs: number;
  readonly createsAccounts: boolean;
}

export const hasDirectory = ({ LDAP_URL }: Pick<Config, 'LDAP_URL'>): boolean => LDAP_URL !== '';

export function directorySettings(config: Config): DirectorySettings {
  const isTls = config.LDAP_URL.startsWith('ldaps:');
  const { hostname } = new URL(config.LDAP_URL);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    url: config.LDAP_URL,
    startTls: !isTls && config.LDAP_START_TLS === 'true',
    tls: {
      ...(config.LDAP_CA_FILE !== '' && { ca: readFileSync(config.LDAP_CA_FILE) }),
      minVersion: 'TLSv1.2',
      // The name that the certificate must have; an upgraded connection does not know it by itself.
      host,
      ...(isIP(host) === 0 && { servername: host }),
    },
    bindDn: config.LDAP_BIND_DN,
    bindPassword: config.LDAP_BIND_PASSWORD,
    base: config.LDAP_BASE,
    filter: config.LDAP_FILTER,
    emailAttribute: config.LDAP_EMAIL_ATTRIBUTE,
    nameAttribute: config.LDAP_NAME_ATTRIBUTE,
    idAttribute: config.LDAP_ID_ATTRIBUTE,
    timeoutMs: config.LDAP_TIMEOUT_MS,
    createsAccounts: config.LDAP_CREATE_ACCOUNTS === 'true',
  };
}
