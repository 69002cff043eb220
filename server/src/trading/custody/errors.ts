import { Refusal } from '../../platform/http/refusal.ts';

export const moneyIsReal = () =>
  new Refusal({
    code: 'MONEY_IS_REAL',
    status: 403,
    message:
      'This venue has real money (MONEY=real), so deposits come from a network only. ' +
      'For a demonstration, set up a venue of its own with MONEY=simulated.',
  });

export const depositNotLost = (depositId: bigint) =>
  new Refusal({
    code: 'DEPOSIT_NOT_LOST',
    status: 409,
    message:
      `D${depositId} is no deposit that its chain has undone after it was credited. ` +
      'Only such a deposit is taken back; the log names it when its network is paused.',
  });

export const stillMissing = ({
  coin,
  network,
}: {
  readonly coin: string;
  readonly network: string;
}) =>
  new Refusal({
    code: 'COINS_MISSING',
    status: 409,
    message:
      `Less ${coin} is on the network ${network} than the ledger says, so ${coin} stays stopped. ` +
      'Find what is missing, let `rialto admin custody reconcile` compare again, and ask once more when it finds no difference.',
  });

export const evidenceDiffers = (cause: string) =>
  new Refusal({
    code: 'EVIDENCE_DIFFERS',
    status: 409,
    message:
      `There is evidence of ${cause} already, of another amount, coin or network. ` +
      'What comes in has an id of its own; look at the table custody_evidence for what this one was.',
  });

export const noSuchNetwork = (network: string, which = 'that custody has seen') =>
  new Refusal({
    code: 'NETWORK_NOT_FOLLOWED',
    status: 400,
    message: `${network} is no network ${which}. \`rialto admin custody status\` lists them.`,
  });

export const heightOutOfRange = (from: number, scanned: number) =>
  new Refusal({
    code: 'HEIGHT_OUT_OF_RANGE',
    status: 400,
    message: `Blocks can be read again from 1 up to ${scanned}, the last that was read, and not from ${from}.`,
  });

export const tooManyAddresses = (asked: number, most: number) =>
  new Refusal({
    code: 'TOO_MANY_ADDRESSES',
    status: 400,
    message: `At most ${most} addresses are looked for at once, not ${asked}. Ask again for the next ones: it goes on where it ended.`,
  });

export const noSuchPayment = (paymentId: bigint) =>
  new Refusal({
    code: 'PAYMENT_UNKNOWN',
    status: 400,
    message: `There is no payment P${paymentId}. \`rialto admin custody status\` lists those under way.`,
  });

export const paymentNotSo = (paymentId: bigint, why: string) =>
  new Refusal({
    code: 'PAYMENT_NOT_SO',
    status: 409,
    message: `P${paymentId} ${why}. Nothing was done.`,
  });

export const amountNotSo = (amount: string) =>
  new Refusal({
    code: 'AMOUNT_NOT_SO',
    status: 400,
    message: `"${amount.slice(0, 60)}" is not an amount above zero such as 1.5.`,
  });
