// Deposit addresses of EVM chains: m/44'/60'/0'/0/i (BIP 44), from the public key of m/44'/60'/0'. Pure.
import { DEPOSIT_BRANCH, evmAddress, openAccount } from '@rialto/chains';

/** Deposit addresses by their number, with the checksum of EIP-55. */
export function createDeriver(publicKey: string): (index: number) => string {
  const account = openAccount(publicKey);
  return (index) => evmAddress(account.publicKey({ branch: DEPOSIT_BRANCH, index }));
}
