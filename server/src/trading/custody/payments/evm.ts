// The transaction of an EVM chain, as the signer takes it. Pure.

/** Units of the chain by gas: at most, and of that to who mines it. What the block does not ask for stays ours. */
export interface Price {
  readonly rate: bigint;
  readonly tip: bigint;
}

/**
 * Gas that a transaction may use; what it does not use costs nothing. A plain transfer is enough between our own addresses;
 * the address of a customer may be a contract, which does something with what it gets.
 */
export const GAS = { plain: 21_000n, coin: 60_000n, token: 150_000n } as const;

export interface EvmTransfer extends Price {
  readonly path: string;
  readonly chainId: string;
  readonly nonce: bigint;
  readonly to: string;
  readonly value: bigint;
  /** Of the call of a token. */
  readonly data?: Uint8Array;
  readonly gas: bigint;
}

/** As JSON. */
export const composeEvm = (transfer: EvmTransfer): string =>
  JSON.stringify({
    path: transfer.path,
    chainId: transfer.chainId,
    nonce: String(transfer.nonce),
    to: transfer.to,
    value: String(transfer.value),
    data: `0x${Buffer.from(transfer.data ?? []).toString('hex')}`,
    gas: String(transfer.gas),
    ...priceFields(transfer),
  });

const priceFields = ({ rate, tip }: Price) => ({
  maxFeePerGas: String(rate),
  maxPriorityFeePerGas: String(tip < rate ? tip : rate),
});

/** Nodes want a tenth more of both; a little above it. */
const RAISE_BY = { of: 1125n, in: 1000n };
const raised = (paid: string): bigint =>
  (BigInt(paid) * RAISE_BY.of + RAISE_BY.in - 1n) / RAISE_BY.in;
const higher = (a: bigint, b: bigint): bigint => (a > b ? a : b);

interface Fields {
  readonly maxFeePerGas: string;
  readonly maxPriorityFeePerGas: string;
}

/** The same transaction for what the network asks for now; undefined if that is paid already and it is not urgent. */
export function raiseEvm(
  unsigned: string,
  { rate, tip }: Price,
  { isUrgent = false }: { readonly isUrgent?: boolean } = {},
): { readonly unsigned: string; readonly rate: bigint } | undefined {
  const fields = JSON.parse(unsigned) as Fields;
  if (!isUrgent && rate <= BigInt(fields.maxFeePerGas)) return undefined;
  const next = {
    rate: higher(rate, raised(fields.maxFeePerGas)),
    tip: higher(tip, raised(fields.maxPriorityFeePerGas)),
  };
  return { unsigned: JSON.stringify({ ...fields, ...priceFields(next) }), rate: next.rate };
}

/** A transaction of the same number that pays nobody, for more than the one before. */
export function voidEvm(
  unsigned: string,
  { rate, tip }: Price,
  hot: string,
): { readonly unsigned: string; readonly fee: bigint; readonly gas: bigint } {
  const fields = JSON.parse(unsigned) as Fields;
  const price = {
    rate: higher(rate, raised(fields.maxFeePerGas)),
    tip: higher(tip, raised(fields.maxPriorityFeePerGas)),
  };
  const gas = GAS.plain;
  return {
    unsigned: JSON.stringify({
      ...fields,
      to: hot,
      value: '0',
      data: '0x',
      gas: String(gas),
      ...priceFields(price),
    }),
    fee: gas * price.rate,
    gas,
  };
}
