// The policy: what the signer may sign, as a file that the machine of the server cannot write.
import { Type, type Static } from 'typebox';

const Amount = Type.String({ pattern: '^(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$', maxLength: 60 });
const Name = Type.String({ pattern: '^[A-Za-z0-9_.-]{1,32}$' });
const Address = Type.String({ minLength: 1, maxLength: 128 });
const strict = { additionalProperties: false } as const;

/** Ceilings of what leaves, in the coin itself. */
const Ceilings = {
  transactionMax: Amount,
  hourMax: Amount,
  dayMax: Amount,
  /** A payment of more than this needs signatures of operators. */
  approvalAbove: Amount,
};

/** Ceilings of what miners get, in the coin of the network. */
const utxoFee = Type.Object(
  {
    /** Units a virtual byte. */
    rateMax: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    transactionMax: Amount,
    hourMax: Amount,
    dayMax: Amount,
  },
  strict,
);
const evmFee = Type.Object(
  {
    /** Units of the coin for one gas (wei), as a decimal text. */
    rateMax: Type.String({ pattern: '^[1-9][0-9]{0,30}$' }),
    transactionMax: Amount,
    hourMax: Amount,
    dayMax: Amount,
  },
  strict,
);

const Targets = {
  /** Addresses that sweeps may pay to, beside the hot wallet itself. */
  sweepTargets: Type.Array(Address, { maxItems: 32 }),
  /** Addresses of the cold wallet. */
  coldTargets: Type.Array(Address, { maxItems: 32 }),
  /** The highest index of an address: what is sent to it can be found again by trying all. */
  indexMax: Type.Integer({ minimum: 0, maximum: 0x7fff_ffff }),
};

const Utxo = Type.Object(
  {
    kind: Type.Literal('utxo'),
    coinType: Type.Integer({ minimum: 0, maximum: 0x7fff_ffff }),
    bech32: Type.String({ pattern: '^[a-z]{1,20}$' }),
    pubKeyHash: Type.Integer({ minimum: 0, maximum: 255 }),
    scriptHash: Type.Integer({ minimum: 0, maximum: 255 }),
    wif: Type.Integer({ minimum: 0, maximum: 255 }),
    coin: Name,
    decimals: Type.Integer({ minimum: 0, maximum: 18 }),
    ...Ceilings,
    fee: utxoFee,
    ...Targets,
  },
  strict,
);

const Token = Type.Object(
  {
    contract: Address,
    decimals: Type.Integer({ minimum: 0, maximum: 36 }),
    ...Ceilings,
  },
  strict,
);

const Evm = Type.Object(
  {
    kind: Type.Literal('evm'),
    chainId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    coin: Name,
    decimals: Type.Integer({ minimum: 0, maximum: 36 }),
    ...Ceilings,
    tokens: Type.Record(Name, Token, { maxProperties: 256 }),
    fee: evmFee,
    ...Targets,
  },
  strict,
);

export const PolicyFile = Type.Object(
  {
    version: Type.Literal(1),
    networks: Type.Record(Name, Type.Union([Utxo, Evm]), { minProperties: 1, maxProperties: 64 }),
    operators: Type.Array(
      Type.Object(
        { name: Name, key: Type.String({ pattern: '^ed25519:[A-Za-z0-9+/]{43}=$' }) },
        strict,
      ),
      // Recovery takes two people.
      { minItems: 2, maxItems: 64 },
    ),
    /** How many operators sign a payment above `approvalAbove`. */
    approvalsNeeded: Type.Integer({ minimum: 1, maximum: 16 }),
  },
  strict,
);
export type PolicyFile = Static<typeof PolicyFile>;
