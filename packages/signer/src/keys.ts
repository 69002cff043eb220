// The keys of one seed. Public keys are derived from account-level public keys, as the server does it; a private key
// is made for one signature and not kept.
import { hkdfSync } from 'node:crypto';
import {
  EVM_DEPOSIT_ACCOUNT,
  EVM_HOT_ACCOUNT,
  deriveFingerprint,
  deriveXpub,
  openAccount,
  openPrivateAccount,
  utxoAccount,
  type Account,
  type Place,
} from '@rialto/chains';
import type { Policy } from './policy/policy.ts';

/** Enough to judge with: no secret is in it. */
export interface PublicKeys {
  /** The number by which PSBTs name the seed. */
  readonly fingerprint: number;
  account(path: string): Account;
}

export interface Keys extends PublicKeys {
  privateKey(account: string, place: Place): Uint8Array;
  /** The key of the memory's chain: one who cannot open the seed cannot write a memory. */
  readonly memoryKey: Uint8Array;
}

export function openKeys(seed: Uint8Array): Keys {
  const accounts = new Map<string, Account>();
  const privately = new Map<string, (place: Place) => Uint8Array>();
  return {
    fingerprint: deriveFingerprint(seed),
    account(path) {
      const account = accounts.get(path) ?? openAccount(deriveXpub(seed, path));
      accounts.set(path, account);
      return account;
    },
    privateKey(account, place) {
      const derive = privately.get(account) ?? openPrivateAccount(seed, account);
      privately.set(account, derive);
      return derive(place);
    },
    memoryKey: new Uint8Array(hkdfSync('sha256', seed, '', 'rialto signer memory', 32)),
  };
}

export interface PublicKeysAnswer {
  readonly ok: true;
  readonly fingerprint: string;
  readonly networks: Readonly<
    Record<string, Readonly<Record<string, { path: string; xpub: string }>>>
  >;
}

/** The account-level public keys of the policy's networks: what the server is configured with. */
export function listPublicKeys(keys: PublicKeys, policy: Policy): PublicKeysAnswer {
  const shown = (path: string) => ({ path, xpub: keys.account(path).xpub });
  const networks = [...policy.networks.values()].map((network) => [
    network.name,
    network.kind === 'utxo'
      ? { account: shown(utxoAccount(network.coinType)) }
      : { deposit: shown(EVM_DEPOSIT_ACCOUNT), hot: shown(EVM_HOT_ACCOUNT) },
  ]);
  return {
    ok: true,
    fingerprint: keys.fingerprint.toString(16).padStart(8, '0'),
    networks: Object.fromEntries(networks) as PublicKeysAnswer['networks'],
  };
}
