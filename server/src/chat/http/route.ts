// A chat route, declared once: from this come its validation, its types, its page in the API document
// and its row in the authorisation matrix.
import type { Static, TObject } from 'typebox';
import type { Audited, AuditDeclaration } from '../../accounts/audit/acts.ts';
import type { RoleName } from '../../accounts/roles.ts';
import type { User } from '../../accounts/user.ts';
import type { Config } from '../../platform/config/schema.ts';
import type { ApiContext } from '../../platform/context.ts';
import type { PoolName } from '../../platform/db/pools.ts';
import type { AnswerFields } from './envelope.ts';
import type { IncomingFile, UploadedFile } from './form.ts';
import type { CallBudget, Cost } from './limits.ts';

/** The least role that may call, or anyone at all, without credentials. */
export type Allow = 'anyone' | RoleName;

/**
 * What makes an answer long: the list in the request, whose length is limited; a page, which is cut; what one person
 * has, which is limited where it is made; or the organization, whose people and channels somebody has to create.
 */
export type Growth = 'request' | 'page' | 'person' | 'organization';

/** Beyond this many bytes an answer is not given: something that should have been limited was not. */
export const answerBytesMax = (config: Config, { grows }: Pick<ChatRoute, 'grows'>): number =>
  grows === 'organization' ? config.CHAT_DIRECTORY_BYTES_MAX : config.CHAT_ANSWER_BYTES_MAX;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a handler may know of the request besides its parameters. */
export interface Call {
  /** The caller's address, as far as it can be believed. */
  readonly caller: string;
  /** What the calling program calls itself. */
  readonly client: string;
  /** The browser's session, for a caller who has one. */
  readonly sessionId: bigint | undefined;
  /** What was uploaded with the request, for a route that takes files. */
  readonly files: readonly UploadedFile[];
  /** What is being uploaded, for a route that streams files; each must be read before the next is asked for. */
  readonly incoming: AsyncIterable<IncomingFile>;
  /** Bytes of the body as the request announces them; 0 if it does not. */
  readonly announcedBytes: number;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
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
  readonly fileBytesMax?: number;
  readonly streamsFiles?: true;
  readonly pool?: PoolName;
  readonly budget?: CallBudget;
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
  /** Its place in the audit log: which acts it may write, or why none. */
  Audited<Verb>;

interface Declared<
  Verb extends Method,
  Path extends string,
  Who extends Allow,
  Params extends TObject,
  Returns extends TObject,
> {
  /** Unique, stable, in words: it names the route in metrics and in the API document. */
  name: string;
  method: Verb;
  path: Path;
  allow: Who;
  /** Whether bots may call; they may unless this says otherwise. */
  bots?: boolean;
  /** For a route that takes files: how large they may be, all together. They are read into memory. */
  fileBytesMax?: number;
  /** For a route that takes files too large for memory: it gets them as they come, after the caller is known. */
  streamsFiles?: true;
  /** Whose database connections it uses, if not those of chat. */
  pool?: PoolName;
  /** What a call is counted as; a call like any other unless this says otherwise. */
  budget?: CallBudget;
  /** What it is counted as besides, always or by its parameters, because it costs more than others. */
  cost?: Cost | ((params: Static<Params>) => Cost | undefined);
  /** For a route whose answer has lists without a length of their own. */
  grows?: Growth;
  /** The order of declaration is the order of checking. */
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
  const { bots = true, cost, handle } = declared;
  // The pipeline authenticates by `allow` and reads `params` before it calls, so the types are true.
  const costOf = typeof cost === 'function' ? cost : () => cost;
  return { ...declared, bots, costOf, handle };
}
