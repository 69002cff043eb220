// The nodes of one network: which of them answer, whether they follow the right chain, and whether they agree.
import type { BlockRef, ChainNode } from '../chains/chain.ts';

/** Why a network is paused. Operators and clients read these words. */
export type PauseReason =
  'node_down' | 'wrong_chain' | 'stale' | 'nodes_disagree' | 'reorganised' | 'reorganised_too_deep';

/** Nothing of the network can be trusted now. */
export class NetworkTrouble extends Error {
  override name = 'NetworkTrouble';
  readonly reason: PauseReason;
  constructor(reason: PauseReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

export interface Answering {
  readonly node: ChainNode;
  readonly identity: string;
  readonly tip: BlockRef;
}

/** One node is enough where one is configured. Of several, two have to answer: one alone could not be contradicted. */
export async function askNodes(nodes: readonly ChainNode[]): Promise<[Answering, ...Answering[]]> {
  const asked = await Promise.allSettled(
    nodes.map(async (node): Promise<Answering> => {
      const [identity, tip] = await Promise.all([node.identify(), node.tip()]);
      return { node, identity, tip };
    }),
  );
  const [first, ...others] = asked.flatMap((one) =>
    one.status === 'fulfilled' ? [one.value] : [],
  );
  const required = Math.min(2, nodes.length);
  if (first === undefined || 1 + others.length < required) {
    const failed = asked.find((one) => one.status === 'rejected');
    throw new NetworkTrouble(
      'node_down',
      `Of ${nodes.length} nodes, ${first === undefined ? 0 : 1 + others.length} answer; ${required} are needed.`,
      { cause: failed?.reason },
    );
  }
  return [first, ...others];
}

/** Refuses nodes of another chain than the configured one, or than the one that was followed so far. */
export function checkIdentities(
  answering: readonly Answering[],
  accepts: (identity: string) => boolean,
  followed: string | undefined,
): void {
  for (const { identity } of answering) {
    if (accepts(identity) && (followed === undefined || identity === followed)) continue;
    const expected = followed ?? 'the configured one';
    throw new NetworkTrouble(
      'wrong_chain',
      `A node follows the chain ${identity.slice(0, 100)}, and not ${expected}.`,
    );
  }
}

/**
 * Whether every node has the same block at this height. False while one does not have the block yet; a different
 * block is trouble.
 */
export async function agreeAt(answering: readonly Answering[], height: number): Promise<boolean> {
  if (answering.length < 2) return true;
  const hashes = await Promise.all(
    answering.map(({ node }) =>
      node.hashAt(height).catch((cause: unknown) => {
        throw new NetworkTrouble('node_down', 'A node stopped answering.', { cause });
      }),
    ),
  );
  const known = new Set(hashes.filter((hash) => hash !== undefined));
  if (known.size > 1) {
    throw new NetworkTrouble(
      'nodes_disagree',
      `The nodes have different blocks at height ${height}: ${[...known].join(' and ')}.`,
    );
  }
  return hashes.every((hash) => hash !== undefined);
}
