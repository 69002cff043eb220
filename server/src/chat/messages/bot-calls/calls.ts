// Calls the programs behind outgoing-webhook bots, and posts their answers. A call is a row until it has ended. So a
// worker may be killed at any moment: the next one finds the row. No transaction is open while a program works.
import { listUsersById } from '../../../accounts/users/access.ts';
import type { User } from '../../../accounts/user.ts';
import type { OriginContext } from '../../../platform/context.ts';
import {
  exchangeOutbound,
  ForbiddenAddress,
  TooLargeAnswer,
} from '../../../platform/http/outbound.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { rarely } from '../../../platform/observe/rarely.ts';
import { isOverWithin, pause } from '../../../platform/std/wait.ts';
import { readSight } from '../../rights/sight/access.ts';
import { accessMessage } from '../message/access.ts';
import type { MessageRow } from '../message/rows.ts';
import { sendMessage } from '../sending/send.ts';
import { tellBotFailed } from '../notices/actions.ts';
import { genericForm, parseReply, slackForm, type OutgoingForm } from './forms.ts';
import { INTERFACE, OUTGOING_WEBHOOK } from '../bot-services/service.ts';
import {
  claimTelling,
  endCall,
  postponeCall,
  takeCall,
  type ServiceCall,
} from '../bot-services/store.ts';

/** How many programs one worker calls at the same time. */
const CONCURRENCY = 8;
/** The largest answer that is read: more than the longest message in any encoding of its characters. */
export const ANSWER_BYTES_MAX = 128 * 1024;
/** Seconds before each retry. A call has one more try than there are numbers. */
const RETRY_SECONDS = [2, 8, 30] as const;
/** Older calls are dropped: nobody waits for the answer any more. */
const LATE_SECONDS = 600;
/** Time for reading the message and posting the answer, on top of the program's own time. */
const LEASE_EXTRA_SECONDS = 60;
/** The owner of a failing bot is told at most this often. */
const TELL_EVERY_SECONDS = 600;
/** How long running calls may take after a stop was requested. */
const LAST_CALLS_MS = 1500;
const COMPLAIN_EVERY_MS = 5000;
const ERROR_PAUSE_MS = 200;

/** The client name under which answers are sent. */
const CLIENT = 'OutgoingWebhookResponse';

export function startBotCalls(ctx: OriginContext): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const complain = rarely(COMPLAIN_EVERY_MS);
  const { BOT_WEBHOOK_TIMEOUT_MS: timeoutMs, DUE_POLL_MS: pollMs } = ctx.config;
  const leaseSeconds = Math.ceil(timeoutMs / 1000) + LEASE_EXTRA_SECONDS;
  const underWay = new Set<Promise<void>>();

  async function make(call: ServiceCall): Promise<void> {
    try {
      await makeCall(ctx, call);
    } catch (error) {
      // The failure is ours, not the program's. The row stays leased, and is due again when the lease ends.
      complain((keptBack) =>
        ctx.log.warn(
          { err: error, call: call.id, keptBack },
          'A bot could not be called; trying again later.',
        ),
      );
    }
  }

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      let waitMs = pollMs;
      try {
        while (!signal.aborted) {
          if (underWay.size >= CONCURRENCY) await Promise.race(underWay);
          const call = await takeCall(ctx.db, leaseSeconds, LATE_SECONDS);
          if (call === undefined) break;
          const work = make(call).finally(() => underWay.delete(work));
          underWay.add(work);
        }
      } catch (error) {
        waitMs = ERROR_PAUSE_MS;
        complain((keptBack) =>
          ctx.log.warn(
            { err: error, keptBack },
            'The queue of bot calls could not be read; trying again.',
          ),
        );
      }
      // A bot whose call has just ended may have another one waiting.
      await Promise.race([pause(waitMs, signal), ...underWay]);
    }
  }

  const running = loop();
  return {
    async stop() {
      stopping.abort();
      await running;
      // Calls that do not end in time are taken by the next worker when their lease ends.
      await isOverWithin(Promise.all(underWay), LAST_CALLS_MS);
    },
  };
}

async function makeCall(ctx: OriginContext, call: ServiceCall): Promise<void> {
  const found = await findCalled(ctx, call);
  if (found === undefined) return endCall(ctx.db, call.id);
  const { bot, message } = found;
  const isSlack = call.interface === INTERFACE.slack;
  if (call.isLate)
    return fail(ctx, call, found, 'Bot is unavailable', 'it was not reached in time');
  if (isSlack && message.channelId === null) {
    const why = "Slack outgoing webhooks don't support direct messages";
    return fail(ctx, call, found, why, why);
  }
  const calling = {
    bot,
    sight: await readSight(ctx, ctx.db, bot),
    message,
    token: call.token,
    trigger: call.trigger,
    origin: ctx.publicUrl(),
  };
  const outcome = await ask(ctx, call, isSlack ? slackForm(calling) : genericForm(calling));
  if (outcome.kind === 'later') {
    const seconds = RETRY_SECONDS[call.attempts - 1];
    if (seconds !== undefined) return postponeCall(ctx.db, call.id, seconds);
    return fail(ctx, call, found, 'Bot is unavailable', outcome.why);
  }
  if (outcome.kind === 'failed') return fail(ctx, call, found, outcome.said, outcome.why);
  const reply = parseReply(outcome.text, isSlack);
  if (reply.kind === 'nonsense') {
    return fail(ctx, call, found, undefined, `${reply.why}: ${excerpt(outcome.text)}`);
  }
  if (reply.kind === 'words') {
    const problem = await answer(ctx, call, found, reply.content);
    if (problem !== undefined) {
      return fail(ctx, call, found, undefined, `its answer could not be sent: ${problem}`);
    }
  }
  await endCall(ctx.db, call.id);
}

interface Found {
  readonly bot: User;
  readonly message: MessageRow;
}

/** The bot and the message as they are now; undefined when the bot or the message is gone. */
async function findCalled(ctx: OriginContext, call: ServiceCall): Promise<Found | undefined> {
  const [bot] = await listUsersById(ctx.db, [call.botId]);
  if (bot?.isActive !== true || bot.botType !== OUTGOING_WEBHOOK) return undefined;
  try {
    const { message } = await accessMessage(ctx.db, bot, call.messageId);
    return { bot, message };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

type Outcome =
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'later'; readonly why: string }
  /** `said` is posted where the bot was called; `why` goes to its owner. */
  | { readonly kind: 'failed'; readonly said: string; readonly why: string };

async function ask(
  ctx: OriginContext,
  { baseUrl }: ServiceCall,
  { contentType, body }: OutgoingForm,
): Promise<Outcome> {
  const { BOT_WEBHOOK_TIMEOUT_MS: timeoutMs, BOT_WEBHOOK_ALLOW_PRIVATE } = ctx.config;
  try {
    const { status, text } = await exchangeOutbound({
      url: baseUrl,
      headers: { 'content-type': contentType, 'user-agent': 'RialtoOutgoingWebhook/1' },
      body: Buffer.from(body),
      timeoutMs,
      allowsPrivate: BOT_WEBHOOK_ALLOW_PRIVATE === 'true',
      answerBytesMax: ANSWER_BYTES_MAX,
    });
    if (status >= 200 && status < 300) return { kind: 'answered', text };
    const said = `Third party responded with ${status}`;
    const why = `it answered with status ${status}: ${excerpt(text)}`;
    // A server error or "too many requests" may pass. A redirect or another refusal is final.
    return status >= 500 || status === 429 ? { kind: 'later', why } : { kind: 'failed', said, why };
  } catch (error) {
    if (error instanceof ForbiddenAddress || error instanceof TooLargeAnswer) {
      return { kind: 'failed', said: 'Bot is unavailable', why: error.message };
    }
    return { kind: 'later', why: whyNot(error, timeoutMs) };
  }
}

/** Names only causes that the owner can fix. Addresses and ports of this server's network stay secret. */
function whyNot(error: unknown, timeoutMs: number): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError' || name === 'AbortError') {
    return `it did not answer within ${timeoutMs / 1000} seconds`;
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === '' ? 'a network error occurred' : `a network error occurred (${code})`;
}

const EXCERPT = 500;
const excerpt = (text: string): string =>
  text === '' ? '(nothing)' : text.slice(0, EXCERPT).replaceAll('`', "'");

/** Posts the program's answer with the rights that the bot has now. Returns the reason if it may not. */
async function answer(
  ctx: OriginContext,
  call: ServiceCall,
  { bot, message }: Found,
  content: string,
): Promise<string | undefined> {
  const people = (message.people ?? []).map(({ id }) => id);
  const where =
    message.channelId === null
      ? ({ type: 'private', to: JSON.stringify(people), topic: undefined } as const)
      : ({ type: 'stream', to: String(message.channelId), topic: message.topic } as const);
  try {
    await sendMessage(ctx, bot, {
      ...where,
      content,
      client: CLIENT,
      readBySender: undefined,
      // The fixed local id makes a repeated call post its answer only once.
      queueId: `bot-call-${call.id}`,
      localId: String(call.messageId),
    });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

/** Reports the failure as the bot where it was called, and tells its owner why. */
async function fail(
  ctx: OriginContext,
  call: ServiceCall,
  found: Found,
  said: string | undefined,
  why: string,
): Promise<void> {
  // If the bot may not post there either, its owner learns of both.
  if (said !== undefined) await answer(ctx, call, found, `Failure! ${said}`);
  const { bot } = found;
  await ctx.inTransaction(async (tx) => {
    const [owner] = bot.botOwnerId === null ? [] : await listUsersById(tx, [bot.botOwnerId]);
    if (owner?.isActive !== true || owner.botType !== null) return;
    if (!(await claimTelling(tx, bot.id, TELL_EVERY_SECONDS))) return;
    await tellBotFailed(tx, ctx, owner.id, bot, why);
  });
  await endCall(ctx.db, call.id);
}
