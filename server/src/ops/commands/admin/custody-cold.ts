// `rialto admin custody cold`: coins back from the cold wallet. The role custody makes the transaction, an operator signs it
// where its keys are, and `submit` brings it back.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Context } from '../../../platform/context.ts';
import { pause } from '../../../platform/std/wait.ts';
import {
  askReturn,
  findReturn,
  readReturn,
  submitReturn,
} from '../../../trading/custody/operators/cold.ts';
import { CommandError } from '../../trouble.ts';
import { acting, asProven, EXIT, waitMsOf, type ActOptions } from './acting.ts';
import { paymentIdOf } from './custody-ids.ts';
import { printFields } from './output.ts';

const POLL_MS = 200;
const FILE_BYTES_MAX = 1024 * 1024;

interface PrepareOptions extends ActOptions {
  readonly coin: string;
  readonly amount: string;
  readonly out: string;
}

export function addColdCommands(custody: Command): void {
  const cold = custody.command('cold').description('bring coins back from the cold wallet');
  acting(cold.command('prepare <network>'), 'custody cold prepare')
    .description('write a transaction from the cold wallet to the hot one, to be signed elsewhere')
    .requiredOption('--coin <coin>', 'such as ltc')
    .requiredOption('--amount <amount>', 'what arrives, in whole coins; the fee comes on top')
    .requiredOption('--out <file>', 'where the PSBT or the fields of the transaction go')
    .action(prepare);
  acting(cold.command('submit <payment>'), 'custody cold submit')
    .description('bring the signed transaction: hexadecimal digits, or a signed PSBT in base64')
    .requiredOption('--signed <file>', 'what the cold wallet gave')
    .action(async (text: string, options: ActOptions & { readonly signed: string }) => {
      const signed = readSigned(options.signed);
      const id = paymentIdOf(text);
      const txid = await asProven(options, 'treasury', (ctx, by) =>
        submitReturn(ctx, by, id, signed),
      );
      printFields(options, { payment: `P${id}`, state: 'broadcasting', txid });
    });
}

async function prepare(network: string, options: PrepareOptions): Promise<void> {
  const waitMs = waitMsOf(options.wait);
  const { coin, amount, out } = options;
  const made = await asProven(options, 'treasury', async (ctx, by) => {
    const requestId = await askReturn(ctx, by, { network, coin, amount });
    const paymentId = await awaitPayment(ctx, requestId, waitMs);
    return paymentId === undefined
      ? undefined
      : { paymentId, ...(await readReturn(ctx, paymentId)) };
  });
  if (made === undefined) {
    printFields(options, { network, state: 'waiting for a process with the role custody' });
    process.exitCode = EXIT.waiting;
    return;
  }
  writeFileSync(out, `${made.text}\n`, { mode: 0o600 });
  const [paid, left] = made.outputs;
  printFields(options, {
    payment: `P${made.paymentId}`,
    from: made.from,
    to: `${paid?.amount ?? ''} ${coin} to ${paid?.address ?? ''}`,
    ...(left === undefined ? {} : { back: `${left.amount} ${coin} to ${left.address}` }),
    file: out,
    next: `sign it, then: rialto admin custody cold submit P${made.paymentId} --signed FILE`,
  });
}

/** Undefined while nobody has answered. */
async function awaitPayment(
  ctx: Context,
  requestId: bigint,
  waitMs: number,
): Promise<bigint | undefined> {
  const untilMs = performance.now() + waitMs;
  for (;;) {
    const request = await findReturn(ctx, requestId);
    if (request !== undefined && request.refusal !== '') throw new CommandError(request.refusal);
    const paymentId = request?.paymentId ?? undefined;
    if (paymentId !== undefined) return paymentId;
    if (performance.now() >= untilMs) return undefined;
    await pause(POLL_MS);
  }
}

function readSigned(file: string): string {
  if (statSync(file).size > FILE_BYTES_MAX) {
    throw new CommandError(`${file} is larger than a signed transaction can be.`);
  }
  const bytes = readFileSync(file);
  // A PSBT may come as bytes too.
  return bytes.subarray(0, 4).toString('latin1') === 'psbt'
    ? bytes.toString('base64')
    : bytes.toString('utf8');
}
