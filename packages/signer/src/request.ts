// What a line may ask for. Everything else is refused: a member that is not known could be one that was meant to matter.
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { WHOLE_NUMBER } from './amount.ts';
import { Refusal } from './refusal.ts';

const strict = { additionalProperties: false } as const;
const Id = Type.String({ pattern: '^[A-Za-z0-9_:.-]{1,64}$' });
const Whole = Type.String({ pattern: WHOLE_NUMBER });
/** Fifty payouts are in a transaction of the server; a wide margin. */
const OUTPUTS_MAX = 100;
const APPROVALS_MAX = 16;

export const Output = Type.Object(
  {
    withdrawId: Type.Optional(Id),
    address: Type.String({ minLength: 1, maxLength: 128 }),
    amount: Type.String({ minLength: 1, maxLength: 64 }),
    /** Absent: the network's own coin. */
    coin: Type.Optional(Type.String({ minLength: 1, maxLength: 32 })),
    /** Of a `gas` payment: which deposit address this is. */
    index: Type.Optional(Type.Integer({ minimum: 0, maximum: 0x7fff_ffff })),
  },
  strict,
);
export type Output = Static<typeof Output>;

export const EvmFields = Type.Object(
  {
    path: Type.String({ maxLength: 40 }),
    chainId: Whole,
    nonce: Whole,
    to: Type.String({ maxLength: 42 }),
    value: Whole,
    data: Type.String({ pattern: '^0x([0-9a-f]{2})*$', maxLength: 1024 }),
    gas: Whole,
    maxFeePerGas: Whole,
    maxPriorityFeePerGas: Whole,
  },
  strict,
);
export type EvmFields = Static<typeof EvmFields>;

export const Approval = Type.Object(
  { key: Type.String({ maxLength: 100 }), signature: Type.String({ maxLength: 200 }) },
  strict,
);
export type Approval = Static<typeof Approval>;

export const Kind = Type.Union([
  Type.Literal('payout'),
  Type.Literal('sweep'),
  Type.Literal('gas'),
  Type.Literal('to_cold'),
  Type.Literal('child'),
]);
export type Kind = Static<typeof Kind>;
export const Purpose = Type.Union([Type.Literal('pay'), Type.Literal('void')]);

const SignRequest = Type.Object(
  {
    op: Type.Literal('sign'),
    paymentId: Id,
    network: Type.String({ maxLength: 32 }),
    kind: Kind,
    /** Absent: `pay`. `void` replaces an earlier version and pays nobody but the venue. */
    purpose: Type.Optional(Purpose),
    unsigned: Type.Union([Type.String(), EvmFields]),
    outputs: Type.Array(Output, { maxItems: OUTPUTS_MAX }),
    approvals: Type.Optional(Type.Array(Approval, { maxItems: APPROVALS_MAX })),
    /** The highest `seq` that the client has seen: an old copy of the memory cannot know it. */
    afterSeq: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  },
  strict,
);
export type SignRequest = Static<typeof SignRequest>;

/** Of one request; a proof asks again for the rest. */
const ATTESTED_MAX = 100;

const AttestRequest = Type.Object(
  {
    op: Type.Literal('attest'),
    /** One line, which cannot look like several. */
    venue: Type.String({ pattern: '^[ -~]{1,200}$' }),
    network: Type.String({ maxLength: 32 }),
    height: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    blockHash: Type.String({ pattern: '^(0x)?[0-9a-f]{64}$' }),
    addresses: Type.Array(
      Type.Object(
        {
          purpose: Type.Union([
            Type.Literal('deposit'),
            Type.Literal('change'),
            Type.Literal('hot'),
          ]),
          index: Type.Integer({ minimum: 0, maximum: 0x7fff_ffff }),
        },
        strict,
      ),
      { maxItems: ATTESTED_MAX },
    ),
  },
  strict,
);
export type AttestRequest = Static<typeof AttestRequest>;

const Request = Type.Union([
  SignRequest,
  AttestRequest,
  Type.Object({ op: Type.Literal('pubkeys') }, strict),
  Type.Object({ op: Type.Literal('health') }, strict),
]);
export type Request = Static<typeof Request>;

export function readRequest(line: string): Request {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Refusal('bad_request', 'Expected one JSON object on a line.');
  }
  if (Value.Check(Request, value)) return value;
  const op = typeof value === 'object' && value !== null && 'op' in value ? value.op : undefined;
  if (op !== 'sign' && op !== 'attest') {
    throw new Refusal(
      'bad_request',
      'Expected {"op":"pubkeys"}, {"op":"health"}, {"op":"attest",…} or {"op":"sign",…}.',
    );
  }
  const [first] = Value.Errors(op === 'sign' ? SignRequest : AttestRequest, value);
  throw new Refusal(
    'bad_request',
    `The request is wrong at ${first?.instancePath ?? '/'}: ${first?.message ?? 'unexpected'}.`,
  );
}
