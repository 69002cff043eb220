// Calls the programs behind outgoing-webhook bots, and posts what they answer. A call is a row until it is over, so a
// worker may be killed at any moment: the next one finds it. No transaction is open while a program is waited for.
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
import { accessMessage } from '../message/access.ts';
import type { MessageRow } from '../message/rows.ts';
import { sendMessage } from '../sending/sending.ts';
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

/** Programs that are called at once by one worker. */
const CONCURRENCY = 8;
/** The largest answer that is read: more than the longest message, however its characters are written. */
export const ANSWER_BYTES_MAX = 128 * 1024;
/** Seconds until each further try. A call has one more try than there are numbers. */
const RETRY_SECONDS = [2, 8, 30] as const;
/** Nobody waits for the answer to a call that is older. */
const LATE_SECONDS = 600;
/** What comes on top of the program's own time: reading the message and posting the answer. */
const LEASE_EXTRA_SECONDS = 60;
/** The owner of a bot that cannot be reached is told this seldom, however often it is called. */
const TELL_EVERY_SECONDS = 600;
/** How long calls under way may take after a stop was asked for. */
const LAST_CALLS_MS = 1500;
const COMPLAIN_EVERY_MS = 5000;
const ERROR_PAUSE_MS = 200;

/** Under which name answers are sent. */
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
      // Something here went wrong, not there. The row is still held, and due again when that is over.
      complain((keptBack) =>
        ctx.log.warn({ err: error, call: call.id, keptBack }, 'A bot could not be called; later.'),
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
          ctx.log.warn({ err: error, keptBack }, 'Calls of bots could not be read; once more.'),
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
      // What does not end in time is found by the next worker, when its time to be held is over.
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

/** The bot and the message, as they are now; undefined when there is nobody to call any more, or nothing to say. */
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
  /** `said` is for the place where the bot was called, `why` for its owner. */
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
    // A server in trouble may be out of it soon; a redirect, or a refusal, is its answer.
    return status >= 500 || status === 429 ? { kind: 'later', why } : { kind: 'failed', said, why };
  } catch (error) {
    if (error instanceof ForbiddenAddress || error instanceof TooLargeAnswer) {
      return { kind: 'failed', said: 'Bot is unavailable', why: error.message };
    }
    return { kind: 'later', why: whyNot(error, timeoutMs) };
  }
}

/** Only what the owner can do something about; addresses and ports of this server's network are not told. */
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

/** Sends what the program said, with the rights that the bot has now. Gives the reason if it may not. */
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
      // A call that is made twice is answered once.
      queueId: `bot-call-${call.id}`,
      localId: String(call.messageId),
    });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

/** Says where the bot was called that it failed, as the bot, and tells its owner why. */
async function fail(
  ctx: OriginContext,
  call: ServiceCall,
  found: Found,
  said: string | undefined,
  why: string,
): Promise<void> {
  // That it may not speak there either is in what its owner is told.
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
