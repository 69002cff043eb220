// Somebody who has the server, its database and its master key, and asks the signer directly, for transactions of every shape.
import { composePsbt, type SeedAccount, type UnsignedInput } from '@rialto/chains';
import { formatFixed, withoutTrailingZeros } from '../../trading/amount.ts';
import { openSigner, type SignRequest } from '../../trading/custody/payments/signer.ts';
import { sumCoins } from './seed-coins.ts';

export interface Forgery extends Partial<Omit<SignRequest, 'unsigned'>> {
  /** What is claimed to be spent. */
  readonly inputs: readonly UnsignedInput[];
  /** What the transaction pays to others, declared or not. */
  readonly pays?: readonly { readonly address: string; readonly units: bigint }[];
  readonly fee: bigint;
  /** Where the rest goes; the venue's own last address if absent. */
  readonly changeAt?: { readonly branch: number; readonly index: number };
}

export interface Thief {
  /** Asks, and keeps what is signed. Returns `signed`, or why not. */
  forge(forgery: Forgery): Promise<string>;
  /** What the thief can spend of the venue's, the largest first. */
  coins(): readonly UnsignedInput[];
  /** Signed bytes that no node has seen yet, in order. */
  takeHoard(): string[];
  /** An id that was never used. */
  nextId(): string;
}

export const showCoins = (units: bigint): string => withoutTrailingZeros(formatFixed(units, 8));

export function openThief(
  socket: string,
  seed: SeedAccount,
  found: readonly UnsignedInput[],
  hideAt: { readonly branch: number; readonly index: number },
): Thief {
  const signer = openSigner(socket);
  let coins = [...found];
  let hoard: string[] = [];
  let ids = 0;
  const nextId = () => `forged-${(ids += 1)}`;
  return {
    nextId,
    coins: () => coins.toSorted((a, b) => (a.units > b.units ? -1 : 1)),
    takeHoard() {
      const taken = hoard;
      hoard = [];
      return taken;
    },
    async forge({ inputs, pays = [], fee, changeAt = hideAt, ...request }) {
      const change = { units: sumCoins(inputs) - sumCoins(pays) - fee, place: changeAt };
      const answer = await signer.sign({
        op: 'sign',
        paymentId: nextId(),
        network: 'LTC',
        kind: 'payout',
        purpose: 'pay',
        unsigned: composePsbt(seed, { inputs, outputs: pays, change }),
        outputs: pays.map(({ address, units }) => ({
          withdrawId: nextId(),
          address,
          amount: showCoins(units),
        })),
        approvals: [],
        afterSeq: 0,
        ...request,
      });
      if (!answer.ok) return answer.reason;
      const spent = new Set(inputs.map(({ txid, vout }) => `${txid}:${vout}`));
      coins = coins.filter(({ txid, vout }) => !spent.has(`${txid}:${vout}`));
      coins.push({ txid: answer.txid, vout: pays.length, ...change });
      hoard.push(answer.raw);
      return 'signed';
    },
  };
}
