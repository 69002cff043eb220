// Signs that the keys of addresses are here, for a proof of reserves. The signer writes the text itself: nobody can have it sign
// another one.
import {
  CHANGE_BRANCH,
  DEPOSIT_BRANCH,
  EVM_DEPOSIT_ACCOUNT,
  EVM_HOT_ACCOUNT,
  evmAddress,
  reserveStatement,
  signEvmMessage,
  signUtxoMessage,
  utxoAccount,
  utxoAddress,
} from '@rialto/chains';
import type { Keys } from './keys.ts';
import type { NetworkPolicy, Policy } from './policy/policy.ts';
import { Refusal } from './refusal.ts';
import type { AttestRequest } from './request.ts';

export interface AttestedAnswer {
  readonly ok: true;
  /** In the order of the request. */
  readonly signatures: readonly { readonly address: string; readonly signature: string }[];
}

type Purpose = AttestRequest['addresses'][number]['purpose'];

/** Which key an address has; undefined where a network has no such addresses. */
function placeOf(
  network: NetworkPolicy,
  purpose: Purpose,
): { readonly account: string; readonly branch: number } | undefined {
  if (network.kind === 'utxo') {
    const account = utxoAccount(network.coinType);
    if (purpose === 'hot') return undefined;
    return { account, branch: purpose === 'change' ? CHANGE_BRANCH : DEPOSIT_BRANCH };
  }
  if (purpose === 'change') return undefined;
  return { account: purpose === 'hot' ? EVM_HOT_ACCOUNT : EVM_DEPOSIT_ACCOUNT, branch: 0 };
}

export function attest(keys: Keys, policy: Policy, request: AttestRequest): AttestedAnswer {
  const network = policy.networks.get(request.network);
  if (network === undefined) {
    throw new Refusal('unknown_network', `The policy has no network ${request.network}.`);
  }
  const { venue, height, blockHash } = request;
  const signatures = request.addresses.map(({ purpose, index }) => {
    const place = placeOf(network, purpose);
    if (place === undefined) {
      throw new Refusal('bad_request', `${request.network} has no addresses for ${purpose}.`);
    }
    const { account, branch } = place;
    const publicKey = keys.account(account).publicKey({ branch, index });
    const address =
      network.kind === 'utxo' ? utxoAddress(network.parameters, publicKey) : evmAddress(publicKey);
    const statement = { venue, network: request.network, height, blockHash, address };
    const text = reserveStatement(statement);
    const privateKey = keys.privateKey(account, { branch, index });
    const sign = network.kind === 'utxo' ? signUtxoMessage : signEvmMessage;
    return { address, signature: sign(text, privateKey) };
  });
  return { ok: true, signatures };
}
