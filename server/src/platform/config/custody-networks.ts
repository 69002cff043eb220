// The file of the networks that custody follows: its schema, and everything that can be wrong with it. The server does
// not start with a wrong one, and `rialto doctor` says the same.
import { readFileSync } from 'node:fs';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

const NETWORKS_MAX = 50;
const NODES_MAX = 9;
const FILE_BYTES_MAX = 256 * 1024;

const Whole = Type.String({ pattern: '^[1-9][0-9]{0,17}$' });
/** An amount in whole coins. */
const Amount = Type.String({ pattern: '^[0-9]{1,20}(\\.[0-9]{1,18})?$' });

/** What may leave without asking anybody. A file says so, and no route: who holds the database cannot raise it. */
const WithdrawalsSchema = Type.Object(
  {
    /** Up to this, and to an address that is in the book for long enough, no operator is asked. */
    automaticMax: Amount,
    /** Up to this one operator approves, above it two. */
    oneOperatorMax: Amount,
    /** What the accounts of one family may withdraw together in 24 hours. */
    familyDayMax: Amount,
    /** What one transaction pays at most, if it pays several; the signer's `transactionMax` or less. */
    batchMax: Amount,
  },
  { additionalProperties: false },
);
export type WithdrawalLimits = Static<typeof WithdrawalsSchema>;

/** How much of a coin the hot wallet holds. */
const TierSchema = Type.Object(
  {
    /** Payouts that would leave less wait for operators. */
    floor: Amount,
    /** What is left when coins go to the cold wallet. */
    target: Amount,
    /** Above this, coins go to the cold wallet by themselves. */
    ceiling: Amount,
    /** The address of the cold wallet; the signer's policy must have it among its `coldTargets`. */
    cold: Type.String({ minLength: 1, maxLength: 128 }),
  },
  { additionalProperties: false },
);

const NetworkSchema = Type.Object(
  {
    /** As the coins of the venue name it. */
    network: Type.String({ pattern: '^[A-Z0-9_-]{1,32}$' }),
    chain: Type.Union([
      Type.Literal('bitcoin'),
      Type.Literal('bitcoin-regtest'),
      Type.Literal('litecoin'),
      Type.Literal('litecoin-regtest'),
      Type.Literal('evm'),
    ]),
    /** The number of an EVM chain; empty for the others. */
    chainId: Type.String({ pattern: '^([1-9][0-9]{0,17})?$', default: '' }),
    /** The extended public key of the account, from which deposit addresses are derived. */
    publicKey: Type.String({ pattern: '^xpub[1-9A-HJ-NP-Za-km-z]{107}$' }),
    /** Only the role custody needs them. They may hold a name and a password. */
    nodes: Type.Array(Type.String({ pattern: '^https?://\\S+$', maxLength: 500 }), {
      maxItems: NODES_MAX,
      default: [],
    }),
    /** The usual time between two blocks. A node that is silent for ten of them is stale. */
    blockSeconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
    /** The first block to look at. Without it, custody begins with the tip that it sees first. */
    startHeight: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_000_000_000 })),
    /** Whether the nodes of an EVM chain offer the `debug` calls. */
    traces: Type.Boolean({ default: false }),
    /** What the network may cost, in smallest units by virtual byte, or by gas. */
    feeRate: Type.Optional(
      Type.Object({ min: Whole, max: Whole }, { additionalProperties: false }),
    ),
    /**
     * Of an EVM chain, by coin: from how much on the coins of a deposit address are fetched into the hot wallet. What is not
     * named here stays where it came to.
     */
    sweeps: Type.Record(Type.String({ pattern: '^[a-z0-9]{1,32}$' }), Amount, { default: {} }),
    /** By coin. The hot wallet has no bounds for what is not named here. */
    tiers: Type.Record(Type.String({ pattern: '^[a-z0-9]{1,32}$' }), TierSchema, { default: {} }),
    /** By coin. What is not named here cannot be withdrawn. */
    withdrawals: Type.Record(Type.String({ pattern: '^[a-z0-9]{1,32}$' }), WithdrawalsSchema, {
      default: {},
    }),
  },
  { additionalProperties: false },
);

export type CustodyNetwork = Static<typeof NetworkSchema>;

interface Settings {
  readonly CUSTODY_NETWORKS_FILE: string;
}

/** Everything that is wrong with the networks; the name of the setting leads. */
export function findNetworkProblems(values: Readonly<Record<string, unknown>>): readonly string[] {
  const { CUSTODY_NETWORKS_FILE } = values as unknown as Partial<Settings>;
  if (typeof CUSTODY_NETWORKS_FILE !== 'string') return [];
  return readNetworks({ CUSTODY_NETWORKS_FILE }).problems;
}

export function readNetworks({ CUSTODY_NETWORKS_FILE: file }: Settings): {
  readonly networks: readonly CustodyNetwork[];
  readonly problems: readonly string[];
} {
  if (file === '') return { networks: [], problems: [] };
  const refuse = (...problems: string[]) => ({
    networks: [],
    problems: problems.map((problem) => `CUSTODY_NETWORKS_FILE ${file}: ${problem}`),
  });
  let given: unknown;
  try {
    const text = readFileSync(file, 'utf8');
    if (text.length > FILE_BYTES_MAX) return refuse(`it is larger than ${FILE_BYTES_MAX} bytes.`);
    given = JSON.parse(text);
  } catch (error) {
    return refuse(`it cannot be read as JSON: ${(error as Error).message}.`);
  }
  if (!Array.isArray(given) || given.length > NETWORKS_MAX) {
    return refuse(`it must be a list of at most ${NETWORKS_MAX} networks.`);
  }
  const read = given.map((one: unknown, place) => readNetwork(one, place));
  const networks = read.flatMap(({ network }) => (network === undefined ? [] : [network]));
  const problems = read.flatMap((one) => one.problems);
  const names = networks.map(({ network }) => network);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) problems.push(`the network ${twice} is there twice.`);
  return problems.length > 0 ? refuse(...problems) : { networks, problems: [] };
}

function readNetwork(
  given: unknown,
  place: number,
): { readonly network?: CustodyNetwork; readonly problems: string[] } {
  const filled = Value.Default(NetworkSchema, structuredClone(given));
  if (!Value.Check(NetworkSchema, filled)) {
    // The values stay out of it: a node's URL may hold a password.
    const problems = Value.Errors(NetworkSchema, filled).map(
      ({ instancePath, message }) =>
        `number ${place + 1}: ${instancePath === '' ? 'it' : instancePath.slice(1).replaceAll('/', '.')} ${message}.`,
    );
    return { problems: [...new Set(problems)].slice(0, 10) };
  }
  const who = `network ${filled.network}`;
  const problems: string[] = [];
  if ((filled.chain === 'evm') !== (filled.chainId !== '')) {
    problems.push(`${who}: chainId belongs to the chain "evm", and every such chain has one.`);
  }
  if (filled.chain !== 'evm' && Object.keys(filled.sweeps).length > 0) {
    problems.push(`${who}: sweeps belong to the chain "evm"; others pay out of deposit addresses.`);
  }
  if (filled.feeRate !== undefined && BigInt(filled.feeRate.min) > BigInt(filled.feeRate.max)) {
    problems.push(`${who}: feeRate has a min above its max.`);
  }
  for (const [coin, { floor, target, ceiling }] of Object.entries(filled.tiers)) {
    if (unitsOf(floor) > unitsOf(target) || unitsOf(target) > unitsOf(ceiling)) {
      problems.push(`${who}: the tier of ${coin} needs floor <= target <= ceiling.`);
    }
  }
  if (filled.nodes.some((node) => !URL.canParse(node))) {
    problems.push(`${who}: nodes must be URLs such as http://rialto:PASSWORD@127.0.0.1:9332.`);
  }
  return problems.length > 0 ? { problems } : { network: filled, problems };
}

const DECIMALS = 18;

/** To compare amounts exactly. */
function unitsOf(amount: string): bigint {
  const [whole = '0', decimals = ''] = amount.split('.');
  return BigInt(whole + decimals.padEnd(DECIMALS, '0'));
}
