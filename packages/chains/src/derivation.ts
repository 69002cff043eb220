// Keys by BIP32. The server has account-level public keys and derives addresses from them; only the
// signer has the seed. It alone calls `openPrivateAccount`, and gives no child's private key away: beside
// the parent's public key it would reveal the parent's private key.
import { HDKey } from '@scure/bip32';

/** The first index that would be hardened; public keys reach only those below it. */
const HARDENED = 0x8000_0000;

/** Account of the deposits on every EVM network: one address for each customer, for all networks. */
export const EVM_DEPOSIT_ACCOUNT = "m/44'/60'/0'";
/** Account of the hot wallet, apart from the deposits, so that its public key tells nothing of theirs. */
export const EVM_HOT_ACCOUNT = "m/44'/60'/1'";

/** BIP84: one account for each coin type; branch 0 receives deposits, branch 1 change. */
export const utxoAccount = (coinType: number): string => `m/84'/${coinType}'/0'`;

export const DEPOSIT_BRANCH = 0;
export const CHANGE_BRANCH = 1;

/** Where a key is below its account. */
export interface Place {
  readonly branch: number;
  readonly index: number;
}

export interface Account {
  readonly xpub: string;
  /** The compressed public key at a place. */
  publicKey(place: Place): Uint8Array;
}

/** An account by its extended public key, as `rialto signer pubkeys` prints it. */
export function openAccount(xpub: string): Account {
  const key = readXpub(xpub);
  // All keys of a branch share the first step, and a wallet asks for many.
  const branches = new Map<number, HDKey>();
  return {
    xpub,
    publicKey({ branch, index }) {
      assertIndex(branch);
      assertIndex(index);
      const parent = branches.get(branch) ?? key.deriveChild(branch);
      branches.set(branch, parent);
      const { publicKey } = parent.deriveChild(index);
      if (publicKey === null) throw new Error(`No public key at ${branch}/${index}.`);
      return publicKey;
    },
  };
}

/** The extended public key of an account: what the server may know. */
export const deriveXpub = (seed: Uint8Array, account: string): string =>
  HDKey.fromMasterSeed(seed).derive(account).publicExtendedKey;

/** The four bytes by which PSBTs name the seed, as a number. */
export const deriveFingerprint = (seed: Uint8Array): number =>
  HDKey.fromMasterSeed(seed).fingerprint;

/** The private keys of an account, for the signer alone. Each key is a copy that the caller may wipe. */
export function openPrivateAccount(
  seed: Uint8Array,
  account: string,
): (place: Place) => Uint8Array {
  const key = HDKey.fromMasterSeed(seed).derive(account);
  return ({ branch, index }) => {
    assertIndex(branch);
    assertIndex(index);
    const { privateKey } = key.deriveChild(branch).deriveChild(index);
    if (privateKey === null) throw new Error(`No private key at ${account}/${branch}/${index}.`);
    return Uint8Array.from(privateKey);
  };
}

function readXpub(xpub: string): HDKey {
  let key: HDKey;
  try {
    key = HDKey.fromExtendedKey(xpub);
  } catch (error) {
    throw new Error(
      'An extended public key was expected, as `rialto signer pubkeys` prints it (xpub…).',
      { cause: error },
    );
  }
  // A private key in the server's settings would undo the whole design.
  if (key.privateKey !== null) {
    throw new Error('This is an extended private key (xprv…). Only the signer may have one.');
  }
  return key;
}

function assertIndex(index: number): void {
  if (!Number.isInteger(index) || index < 0 || index >= HARDENED) {
    throw new Error(`An index from 0 to ${HARDENED - 1} was expected, ${index} came.`);
  }
}
