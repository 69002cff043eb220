// What the keys of a seed own on a Litecoin node, asked of the node alone: no table of the venue has a say in it.
import {
  CHANGE_BRANCH,
  DEPOSIT_BRANCH,
  openAccount,
  utxoAddress,
  type UnsignedInput,
} from '@rialto/chains';
import { UTXO_CHAINS } from '../../trading/custody/chains/utxo/params.ts';
import type { LitecoinNode } from './litecoin.ts';

interface Scanned {
  readonly success: boolean;
  readonly unspents: readonly { txid: string; vout: string; desc: string; amount: string }[];
}

/** The coins in blocks at deposit and change addresses with these numbers, in units of 10⁻⁸. */
export async function listSeedCoins(
  node: LitecoinNode,
  xpub: string,
  indexes: readonly number[],
): Promise<UnsignedInput[]> {
  const account = openAccount(xpub);
  const params = UTXO_CHAINS['litecoin-regtest'];
  if (params === undefined) throw new Error('The chain of tests has parameters.');
  const places = new Map<string, UnsignedInput['place']>(
    [DEPOSIT_BRANCH, CHANGE_BRANCH].flatMap((branch) =>
      indexes.map((index) => {
        const place = { branch, index };
        return [`addr(${utxoAddress(params.network, account.publicKey(place))})`, place] as const;
      }),
    ),
  );
  const { success, unspents } = (await node.call('scantxoutset', [
    'start',
    [...places.keys()],
  ])) as Scanned;
  if (!success) throw new Error('The node could not look through its coins.');
  return unspents.map(({ txid, vout, desc, amount }) => {
    // The node adds a checksum.
    const place = places.get(desc.replace(/#.*$/, ''));
    if (place === undefined) throw new Error(`The node found ${desc}, and was not asked for it.`);
    return { txid, vout: Number(vout), units: BigInt(amount.replace('.', '')), place };
  });
}

export const sumCoins = (coins: readonly { readonly units: bigint }[]): bigint =>
  coins.reduce((sum, { units }) => sum + units, 0n);
