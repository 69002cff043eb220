// `rialto verify-reserves`: checks the leaves of an account in a proof of reserves. It needs no database, no settings and no
// network.
import {
  checkLeaf,
  isSignedMessage,
  readLeaves,
  type LeafVerdict,
  type PublishedRoot,
} from '@rialto/chains';
import { formatAmount } from '../../trading/amount.ts';
import { CommandError } from '../trouble.ts';
import { readingOf } from './verify-log.ts';

export interface VerifyReservesOptions {
  readonly publication?: string;
  readonly addresses?: string;
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
function renderReserves(verdicts: readonly LeafVerdict[], isCompared: boolean): string {
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

export interface AddressVerdicts {
  readonly right: readonly string[];
  /** Their keys are elsewhere, as those of a cold wallet. */
  readonly unsigned: readonly string[];
  readonly wrong: readonly { readonly address: string; readonly fault: string }[];
}

/** Blocks of a publication, as statements name them. */
function parseBlocks(text: string): ReadonlySet<string> {
  const parsed = JSON.parse(text) as Fields | null;
  const { coins } = (parsed?.['result'] ?? parsed ?? {}) as Fields;
  const networks = (Array.isArray(coins) ? (coins as Fields[]) : []).flatMap((coin) =>
    Array.isArray(coin['networks']) ? (coin['networks'] as Fields[]) : [],
  );
  return new Set(
    networks.map(
      ({ network, height, blockHash }) =>
        `network: ${String(network)}\nblock: ${String(height)} ${String(blockHash)}`,
    ),
  );
}

function parseAddresses(text: string): Fields[] {
  const parsed = JSON.parse(text) as Fields | null;
  const rows = Array.isArray(parsed) ? (parsed as unknown) : parsed?.['result'];
  if (!Array.isArray(rows)) {
    throw new Error('it must be an answer of /v1/public/reserve_addresses, a list of addresses.');
  }
  return rows as Fields[];
}

function textOf(row: Fields, name: string): string {
  const value = row[name];
  return typeof value === 'string' ? value : '';
}

/** Whether the keys of published addresses signed what their statements say, and of which block. */
export function verifyAddressesFile(
  file: string,
  { publication }: VerifyReservesOptions,
): AddressVerdicts {
  const rows = readingOf(file, parseAddresses);
  const blocks = publication === undefined ? undefined : readingOf(publication, parseBlocks);
  const right: string[] = [];
  const unsigned: string[] = [];
  const wrong: { address: string; fault: string }[] = [];
  for (const row of rows) {
    const { address, statement, signature } = {
      address: textOf(row, 'address'),
      statement: textOf(row, 'statement'),
      signature: textOf(row, 'signature'),
    };
    if (signature === '') unsigned.push(address);
    else if (!statement.endsWith(`\naddress: ${address}`)) {
      wrong.push({ address, fault: 'its statement names another address' });
    } else if (
      blocks !== undefined &&
      ![...blocks].some((block) => statement.includes(`\n${block}\n`))
    ) {
      wrong.push({ address, fault: 'its statement names no block of the publication' });
    } else if (isSignedMessage(address, statement, signature)) right.push(address);
    else wrong.push({ address, fault: 'the signature is not that of its key' });
  }
  return { right, unsigned, wrong };
}

const renderAddresses = ({ right, unsigned, wrong }: AddressVerdicts): string =>
  [
    `${wrong.length === 0 ? 'RIGHT' : 'WRONG'}: ${right.length} addresses are signed by their keys, ${unsigned.length} are not signed, ${wrong.length} are wrong.`,
    ...wrong.map(({ address, fault }) => `WRONG: ${address}: ${fault}.`),
  ].join('\n');

/** What there is to say about the files, and whether all of it is right. */
export function verifyReserves(
  file: string | undefined,
  options: VerifyReservesOptions,
): { readonly text: string; readonly isRight: boolean } {
  if (file === undefined && options.addresses === undefined) {
    throw new CommandError(
      'Expected a file with the answer of /v1/private/account/reserves, or --addresses with that of /v1/public/reserve_addresses.',
    );
  }
  const leaves = file === undefined ? [] : verifyReservesFile(file, options);
  const addresses =
    options.addresses === undefined ? undefined : verifyAddressesFile(options.addresses, options);
  const isCompared = options.publication !== undefined;
  return {
    text: [
      ...(file === undefined ? [] : [renderReserves(leaves, isCompared)]),
      ...(addresses === undefined ? [] : [renderAddresses(addresses)]),
    ].join('\n'),
    isRight:
      leaves.every(({ fault }) => fault === undefined) &&
      (addresses === undefined || addresses.wrong.length === 0),
  };
}
