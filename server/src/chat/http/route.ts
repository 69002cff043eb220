// A chat route, declared once. Its validation, its types, its page in the API document and its row in the authorisation
// matrix all come from the declaration.
import type { Static, TObject } from 'typebox';
import type { Audited, AuditDeclaration } from '../../accounts/audit/acts.ts';
import type { RoleName } from '../../accounts/roles.ts';
import type { KeyScope } from '../../accounts/chat-keys/scope.ts';
import type { FactorPlace } from '../../accounts/second-factors/act.ts';
import type { StepUp } from '../../accounts/second-factors/factor.ts';
import type { Session } from '../../accounts/sessions/access.ts';
import type { User } from '../../accounts/user.ts';
import type { Config } from '../../platform/config/schema.ts';
import type { ApiContext } from '../../platform/context.ts';
import type { Departure } from '../../platform/http/departure.ts';
import type { PoolName } from '../../platform/db/pools.ts';
import type { AnswerFields, AnswerLimits } from './envelope.ts';
import type { IncomingFile, UploadedFile } from './form.ts';
import type { CallBudget, Cost } from './limits.ts';

/** The lowest role that may call, or anyone without credentials. */
export type Allow = 'anyone' | RoleName;

/**
 * What the length of an answer depends on: a list in the request, whose length is limited; a page; what one person has,
 * which is limited when it is created; or the size of the organization.
 */
export type Growth = 'request' | 'page' | 'person' | 'organization';

/**
 * A larger answer is refused, because something that should be limited was not. Only answers that grow with the organization
 * are worth compressing: the others are short, or many clients get them at once.
 */
export const answerLimits = (config: Config, { grows }: Pick<ChatRoute, 'grows'>): AnswerLimits =>
  grows === 'organization'
    ? { bytesMax: config.CHAT_DIRECTORY_BYTES_MAX, isLong: true }
    : { bytesMax: config.CHAT_ANSWER_BYTES_MAX, isLong: false };

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a handler gets of the request besides its parameters. */
export interface Call {
  /** The caller's address, as far as it can be trusted. */
  readonly caller: string;
  /** The client's name for itself. */
  readonly client: string;
  /** The browser and its system by their names, such as `Firefox on Linux`; empty if unknown. */
  readonly device: string;
  /** The browser's session, if the caller has one. */
  readonly sessionId: bigint | undefined;
  readonly session: Session | undefined;
  /** What the caller's key is for, if it is not for everything. */
  readonly scope: KeyScope | undefined;
  /** Where a second factor is shown. */
  readonly place: FactorPlace;
  /** The uploaded files, for a route that takes files. */
  readonly files: readonly UploadedFile[];
  /** Files that are being received, for a route that streams them; each must be read before the next is asked for. */
  readonly incoming: AsyncIterable<IncomingFile>;
  /** The size of the body that the request announces; 0 if it announces none. */
  readonly announcedBytes: number;
  /** Aborted when the caller disconnects. */
  readonly signal: Departure;
}

/**
 * `/drafts/{draft_id:int}` gives `{ draft_id: number }`; a part without `:int` is text, and the last one
 * with `:path` is text that may have slashes.
 */
export type PathParams<Path extends string> = Path extends `${string}{${infer Part}}${infer Rest}`
  ? PathPart<Part> & PathParams<Rest>
  : unknown;

type PathPart<Part extends string> = Part extends `${infer Name}:int`
  ? { [N in Name]: number }
  : Part extends `${infer Name}:path`
    ? { [N in Name]: string }
    : { [N in Part]: string };

export interface ChatRoute {
  readonly name: string;
  readonly method: Method;
  readonly path: string;
  readonly allow: Allow;
  readonly bots: boolean;
  readonly audit?: AuditDeclaration;
  stepUpOf(params: Record<string, unknown>): StepUp | undefined;
  readonly fileBytesMax?: number;
  readonly streamsFiles?: true;
  readonly pool?: PoolName;
  readonly budget?: CallBudget;
  readonly checksCaller?: true;
  costOf(params: Record<string, unknown>): Cost | undefined;
  readonly grows?: Growth;
  readonly params: TObject;
  readonly returns: TObject;
  readonly summary: string;
  handle(
    ctx: ApiContext,
    actor: User | undefined,
    params: Record<string, unknown>,
    call: Call,
  ): Promise<AnswerFields>;
}

type Declaration<
  Verb extends Method,
  Path extends string,
  Who extends Allow,
  Params extends TObject,
  Returns extends TObject,
> = Declared<Verb, Path, Who, Params, Returns> &
  /** Which acts it may write into the audit log, or why none. */
  Audited<Verb>;

interface Declared<
  Verb extends Method,
  Path extends string,
  Who extends Allow,
  Params extends TObject,
  Returns extends TObject,
> {
  /** Unique and stable: names the route in metrics and in the API document. */
  name: string;
  method: Verb;
  path: Path;
  allow: Who;
  /** Whether bots may call; true by default. */
  bots?: boolean;
  /** What a session must prove again before it may call, always or depending on the parameters. */
  stepUp?: StepUp | ((params: Static<Params>) => StepUp | undefined);
  /** For a route that takes files: the maximum size of all together. They are read into memory. */
  fileBytesMax?: number;
  /** For a route that takes files too large for memory: it gets them as they arrive, after the caller is identified. */
  streamsFiles?: true;
  /** The pool of database connections, if not that of chat. */
  pool?: PoolName;
  /** The limit that a call counts against; by default that of ordinary calls. */
  budget?: CallBudget;
  /**
   * For a route whose own statement checks that its remembered caller is still who they were, by the basis of
   * `ctx.facts`. It calls `ctx.facts.confirm()` before anything that it decides otherwise.
   */
  checksCaller?: true;
  /** A second limit for a costly call, always or depending on its parameters. */
  cost?: Cost | ((params: Static<Params>) => Cost | undefined);
  /** For a route whose answer has lists of unlimited length. */
  grows?: Growth;
  /** Checked in the order of declaration. */
  params: Params;
  returns: Returns;
  summary: string;
  handle(
    ctx: ApiContext,
    actor: Who extends 'anyone' ? undefined : User,
    params: Static<Params> & PathParams<Path>,
    call: Call,
  ): Promise<AnswerFields>;
}

export function chatRoute<
  const Verb extends Method,
  const Path extends string,
  const Who extends Allow,
  Params extends TObject,
  Returns extends TObject,
>(declared: Declaration<Verb, Path, Who, Params, Returns>): ChatRoute {
  const { bots = true, cost, stepUp, handle } = declared;
  // The pipeline authenticates by `allow` and parses `params` before it calls, so the types are true.
  const costOf = typeof cost === 'function' ? cost : () => cost;
  const stepUpOf = typeof stepUp === 'function' ? stepUp : () => stepUp;
  return { ...declared, bots, costOf, stepUpOf, handle };
}
