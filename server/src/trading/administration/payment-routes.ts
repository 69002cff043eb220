// Payments on networks: what is under way, what operators do with one that does not go on, and the signatures that the signer
// wants for large ones. A key of an operator never comes here: they sign on a machine of their own.
import { Type } from 'typebox';
import {
  bumpPayment,
  DECIDERS_NEEDED,
  listPaymentsUnderWay,
  resolvePayment,
  WAYS,
} from '../custody/operators/payments.ts';
import { emailsOf } from '../custody/operators/people.ts';
import { addSignature, readSignRequest } from '../custody/operators/signatures.ts';
import { Choice, Count, Millis, toMillis } from '../values.ts';
import { adminRoute } from './route.ts';
import { Reason } from './shapes.ts';

const PaymentId = Type.String({
  pattern: '^P[1-9][0-9]{0,17}$',
  description: 'A payment, as the list and the log name it.',
  examples: ['P12'],
});
const idOf = (paymentId: string): bigint => BigInt(paymentId.slice(1));

const Payment = Type.Object(
  {
    paymentId: Type.String({ description: 'Its id.', examples: ['P12'] }),
    network: Type.String({ description: 'Network symbol.', examples: ['LTC'] }),
    kind: Type.String({ description: 'payout, child, sweep, gas, to_cold or from_cold.' }),
    state: Type.String({
      description:
        'signing, broadcasting or confirming; needs_operator: the signer refuses it, and somebody has to resolve it.',
    }),
    reason: Type.String({ description: 'Why it waits; may be empty.' }),
    txid: Type.String({ description: 'Its transaction; empty until it is signed.' }),
    withdrawals: Count('Withdrawals that it pays.'),
    withdrawIds: Type.Array(Type.String(), { description: 'Their ids.' }),
    signatures: Count('Signatures of operators that were brought.'),
    decisions: Type.Array(
      Type.Object({
        way: Type.String({ description: 'void or drop.' }),
        email: Type.String({ description: 'The operator.' }),
        reason: Type.String({ description: 'Why, in their words.' }),
        at: Millis('When.'),
      }),
      { description: 'What operators have decided; the second of the same kind is carried out.' },
    ),
    createdAt: Millis('When it was made.'),
    updatedAt: Millis('When it last changed.'),
  },
  { title: 'Payment' },
);

export const getPayments = adminRoute({
  name: 'adminPayments',
  method: 'GET',
  path: '/payments',
  grant: 'look',
  stepUp: 'fresh',
  summary: 'Payments that have not ended, the oldest first.',
  params: Type.Object({}),
  returns: Type.Array(Payment),
  async handle(ctx) {
    const payments = await listPaymentsUnderWay(ctx);
    const emails = await emailsOf(
      ctx.db,
      payments.flatMap(({ decisions }) => decisions.map(({ operatorId }) => operatorId)),
    );
    return payments.map(({ paymentId, network, kind, state, reason, ...payment }) => ({
      paymentId: `P${paymentId}`,
      network,
      kind,
      state,
      reason,
      txid: payment.txid ?? '',
      withdrawals: String(payment.withdrawIds.length),
      withdrawIds: payment.withdrawIds.map((id) => `W${id}`),
      signatures: String(payment.signatures),
      decisions: payment.decisions.map(({ way, operatorId, reason: why, at }) => ({
        way,
        email: emails.get(operatorId) ?? '',
        reason: why,
        at: toMillis(at),
      })),
      createdAt: toMillis(payment.createdAt),
      updatedAt: toMillis(payment.updatedAt),
    }));
  },
});

export const getPaymentRequest = adminRoute({
  name: 'adminPaymentRequest',
  method: 'GET',
  path: '/payment/request',
  grant: 'treasury',
  stepUp: 'fresh',
  summary:
    'What operators sign for a payment: keep `request` as a file, look at its outputs, and run `rialto signer approve FILE --key KEY` on a machine of your own.',
  params: Type.Object({ paymentId: PaymentId }),
  returns: Type.Object(
    {
      paymentId: PaymentId,
      request: Type.String({ description: 'JSON, as the signer reads it.' }),
    },
    { title: 'PaymentRequest' },
  ),
  errors: ['PARAMETER_INVALID'],
  async handle(ctx, _caller, { paymentId }) {
    return { paymentId, request: await readSignRequest(ctx, idOf(paymentId)) };
  },
});

export const postPaymentSign = adminRoute({
  name: 'adminPaymentSign',
  method: 'POST',
  path: '/payment/sign',
  grant: 'treasury',
  stepUp: 'each',
  audit: ['custody sign'],
  summary:
    'Brings the signature of an operator to a payment, as `rialto signer approve` printed it. The signer decides what it is worth.',
  params: Type.Object({
    paymentId: PaymentId,
    key: Type.String({
      pattern: '^ed25519:[A-Za-z0-9+/]{43}=$',
      description: 'The public key of the operator, as the policy of the signer has it.',
    }),
    signature: Type.String({
      pattern: '^[A-Za-z0-9+/]{86}==$',
      description: 'The signature, in base64.',
    }),
  }),
  returns: Type.Object(
    { paymentId: PaymentId, signatures: Count('Signatures that the payment has.') },
    { title: 'SignedPayment' },
  ),
  errors: ['PARAMETER_INVALID', 'SAME_PERSON', 'ACT_REFUSED'],
  async handle(ctx, { operator }, { paymentId, key, signature }) {
    const count = await addSignature(ctx, operator, idOf(paymentId), { key, signature });
    return { paymentId, signatures: String(count) };
  },
});

export const postPaymentBump = adminRoute({
  name: 'adminPaymentBump',
  method: 'POST',
  path: '/payment/bump',
  grant: 'treasury',
  stepUp: 'each',
  audit: ['custody bump'],
  summary: 'Pays a higher fee for a payment with the next look, within the limits of the network.',
  params: Type.Object({ paymentId: PaymentId }),
  returns: Type.Object({ paymentId: PaymentId }, { title: 'BumpedPayment' }),
  errors: ['PARAMETER_INVALID', 'ACT_REFUSED'],
  async handle(ctx, { operator }, { paymentId }) {
    await bumpPayment(ctx, operator, idOf(paymentId));
    return { paymentId };
  },
});

export const postPaymentResolve = adminRoute({
  name: 'adminPaymentResolve',
  method: 'POST',
  path: '/payment/resolve',
  grant: 'treasury',
  stepUp: 'each',
  audit: ['custody resolve'],
  summary:
    'Decides about a payment that does not go on. `void` and `drop` give the amounts back, and take two operators.',
  params: Type.Object({
    paymentId: PaymentId,
    way: Choice(
      WAYS,
      'retry: the signer is asked again; void: what it would spend is spent for nobody; drop: the same where nothing was signed.',
    ),
    reason: Reason,
  }),
  returns: Type.Object(
    {
      paymentId: PaymentId,
      way: Choice(WAYS, 'The way.'),
      isDone: Type.Boolean({
        description: 'Whether it was decided, or waits for another operator.',
      }),
      deciders: Count('Operators who have decided so.'),
      decidersNeeded: Count('Operators who must.'),
    },
    { title: 'ResolvedPayment' },
  ),
  errors: ['PARAMETER_INVALID', 'SAME_PERSON', 'ACT_REFUSED'],
  async handle(ctx, { operator }, { paymentId, way, reason }) {
    const { isDone, deciders } = await resolvePayment(ctx, operator, idOf(paymentId), way, reason);
    return {
      paymentId,
      way,
      isDone,
      deciders: String(deciders),
      decidersNeeded: String(way === 'retry' ? 1 : DECIDERS_NEEDED),
    };
  },
});
