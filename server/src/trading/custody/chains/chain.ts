// What custody knows of a chain, whatever its family: where it stands, what a block moved, and which address belongs to
// a number. Nothing here knows accounts or coins.

/** A block by its place in the chain. */
export interface BlockRef {
  readonly height: number;
  readonly hash: string;
}

/** Value that a transaction brought to an address. */
export interface ChainTransfer {
  readonly txid: string;
  /** Where in the transaction, stable wherever the transaction is mined. */
  readonly place: string;
  /** As `Chain.addressAt` writes addresses. */
  readonly address: string;
  /** The contract of a token, in lower case; empty for the chain's own coin. */
  readonly contract: string;
  /** Smallest units of the coin on its chain. */
  readonly units: bigint;
  /** Confirmations without which the chain itself does not let it be spent. */
  readonly maturity: number;
}

/** A transaction of a block, whether it moved anything to us or not. */
export interface MinedTransaction {
  readonly txid: string;
  /** It is in the block, and did nothing but cost its fee (EVM). */
  readonly hasFailed: boolean;
  /** What the network took, where the block says so (EVM). */
  readonly feePaid?: bigint;
}

export interface ChainBlock extends BlockRef {
  readonly parent: string;
  readonly transfers: readonly ChainTransfer[];
  readonly transactions: readonly MinedTransaction[];
}

export interface ChainPool {
  readonly txids: ReadonlySet<string>;
  /** Those that were looked at. */
  readonly read: readonly string[];
  readonly transfers: readonly ChainTransfer[];
}

/**
 * What a node made of bytes. `spent`: what they spend is spent already, by themselves or by others. `underpriced`: it wants
 * a higher fee. `refused`: anything else; the bytes are wrong for this node.
 */
export type Broadcast =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'spent' | 'underpriced' | 'refused'; readonly message: string };

/** Smallest units by virtual byte, or by gas. */
export interface FeeRate {
  readonly rate: bigint;
  /** The part of it that goes to who mines, where the rest comes back (EVM); otherwise zero. */
  readonly tip: bigint;
}

/** An output of the Bitcoin family. */
export interface OutputRef {
  readonly txid: string;
  readonly vout: number;
}

export interface UnspentOutput {
  /** Undefined where its script has the form of no address. */
  readonly address: string | undefined;
  readonly units: bigint;
}

/** One node of a chain. Each call is bounded in time and in size; it throws when the node does not answer well. */
export interface ChainNode {
  /** What tells this chain from every other one: it never changes. */
  identify(): Promise<string>;
  tip(): Promise<BlockRef>;
  /** Undefined above the tip. */
  hashAt(height: number): Promise<string | undefined>;
  /** `contracts` are the tokens whose transfers count, in lower case. */
  readBlock(hash: string, contracts: ReadonlySet<string>): Promise<ChainBlock>;
  /**
   * What waits to be mined, as far as the node tells: its transactions, and the transfers of at most `limit` of them that are
   * not `known`. For display only: nothing of it is certain.
   */
  readPool(known: ReadonlySet<string>, limit: number): Promise<ChainPool>;
  /** Gives signed bytes to the node. Throws when it is unknown whether they arrived: the same bytes may be sent again. */
  broadcast(raw: string): Promise<Broadcast>;
  /** What the network asks for now; undefined where it does not know. */
  feeRate(): Promise<FeeRate | undefined>;
  /** What an address has, of the chain's own coin or of a token (EVM). */
  balanceOf(address: string, contract: string): Promise<bigint>;
  /** The same of many addresses as of one block (EVM). */
  balancesAt(addresses: readonly string[], contract: string, block: BlockRef): Promise<bigint[]>;
  /** How a token counts, by its own word; undefined where it says nothing (EVM). */
  decimalsAt(contract: string, block: BlockRef): Promise<number | undefined>;
  /** Outputs as they are at the tip: undefined for what is spent, or was never there (Bitcoin family). */
  unspentOf(outputs: readonly OutputRef[]): Promise<(UnspentOutput | undefined)[]>;
  /** How many transactions an address has sent (EVM). */
  countSent(address: string): Promise<bigint>;
}

export interface Chain {
  readonly family: 'utxo' | 'evm';
  /** Whether a node with this identity belongs to the configured chain. */
  accepts(identity: string): boolean;
  /** The deposit address of this number, from the public key alone. */
  addressAt(index: number): string;
  /** An address that somebody typed, in its one spelling; undefined when this chain has no such address. */
  readAddress(text: string): string | undefined;
  openNode(url: string): ChainNode;
}

/** A node said something that is not what its interface promises. */
export class OddAnswer extends Error {
  override name = 'OddAnswer';
}
