// `rialto verify-reserves`: checks the leaves of an account in a proof of reserves. It needs no database, no settings and no
// network.
import { checkLeaf, readLeaves, type LeafVerdict, type PublishedRoot } from '@rialto/chains';
import { formatAmount } from '../../trading/amount.ts';
import { readingOf } from './verify-log.ts';

export interface VerifyReservesOptions {
  readonly publication?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** The roots of a publication, alone or in the answer that brought it. */
function parsePublication(text: string): PublishedRoot[] {
  const parsed = JSON.parse(text) as Fields | null;
  const { publicationId, coins } = (parsed?.['result'] ?? parsed ?? {}) as Fields;
  if (typeof publicationId !== 'string' || !Array.isArray(coins)) {
    throw new Error(
      'it must be the answer of /v1/public/reserves, with "publicationId" and "coins".',
    );
  }
  return (coins as Fields[]).map(({ coin, root }) => ({
    publicationId,
    coin: String(coin),
    root: String(root),
  }));
}

export function verifyReservesFile(
  file: string,
  { publication }: VerifyReservesOptions,
): LeafVerdict[] {
  const leaves = readingOf(file, readLeaves);
  const published =
    publication === undefined ? undefined : readingOf(publication, parsePublication);
  return leaves.map((leaf) => checkLeaf(leaf, published));
}

/** The verdicts in words, one on each line. */
export function renderReserves(verdicts: readonly LeafVerdict[], isCompared: boolean): string {
  const lines = verdicts.map(({ leaf, fault }) => {
    const { coin, accountId, publicationId, root, rootUnits } = leaf;
    const amount = (units: string) => `${formatAmount(BigInt(units))} ${coin}`;
    return fault === undefined
      ? `RIGHT: the ${amount(leaf.units)} of account ${accountId} are in the ${amount(rootUnits)} of publication ${publicationId}, root ${root}.`
      : `WRONG: ${coin} of account ${accountId} in publication ${publicationId}: ${fault}.`;
  });
  if (!isCompared && verdicts.every(({ fault }) => fault === undefined)) {
    lines.push(
      'Compare the amounts with what you had, and the roots with what everybody sees: --publication checks the answer of /v1/public/reserves.',
    );
  }
  return lines.join('\n');
}
