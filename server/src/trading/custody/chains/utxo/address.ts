// Deposit addresses of the Bitcoin family: m/84'/coin'/0'/0/i (BIP 84), from the public key of m/84'/coin'/0'. Pure.
import { DEPOSIT_BRANCH, openAccount, utxoAddress, type UtxoNetwork } from '@rialto/chains';

export function createDeriver(publicKey: string, network: UtxoNetwork): (index: number) => string {
  const account = openAccount(publicKey);
  return (index) => utxoAddress(network, account.publicKey({ branch: DEPOSIT_BRANCH, index }));
}
