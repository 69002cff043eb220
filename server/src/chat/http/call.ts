// What a handler gets of its request besides the parameters. Most handlers ask for little of it, so the rest is made when it is
// asked for.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyScope } from '../../accounts/chat-keys/scope.ts';
import { placeOf, type FactorPlace } from '../../accounts/second-factors/act.ts';
import type { Session } from '../../accounts/sessions/access.ts';
import { deviceText } from '../../accounts/sessions/device.ts';
import type { Config } from '../../platform/config/schema.ts';
import { ClientDeparture, type Departure } from '../../platform/http/departure.ts';
import type { IncomingFile, UploadedFile } from './form.ts';
import type { Call } from './route.ts';

/** What was found out about the request so far. */
export interface Came extends Partial<Pick<Call, 'files' | 'incoming'>> {
  readonly session: Session | undefined;
  readonly scope: KeyScope | undefined;
  /** As the request names it. */
  readonly client: string | undefined;
}

const NO_FILES: readonly UploadedFile[] = [];
const NOTHING_INCOMING: AsyncIterable<IncomingFile> = {
  [Symbol.asyncIterator]: async function* nothing() {},
};

export class RequestCall implements Call {
  readonly session: Session | undefined;
  readonly scope: KeyScope | undefined;
  readonly files: readonly UploadedFile[];
  readonly incoming: AsyncIterable<IncomingFile>;
  readonly #config: Config;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #client: string | undefined;

  constructor(config: Config, request: FastifyRequest, reply: FastifyReply, came: Came) {
    const { session, scope, client, files = NO_FILES, incoming = NOTHING_INCOMING } = came;
    this.session = session;
    this.scope = scope;
    this.files = files;
    this.incoming = incoming;
    this.#config = config;
    this.#request = request;
    this.#reply = reply;
    this.#client = client;
  }

  get caller(): string {
    return this.#request.caller;
  }

  get client(): string {
    return clientOf(this.#request, this.#client);
  }

  get sessionId(): bigint | undefined {
    return this.session?.id;
  }

  get place(): FactorPlace {
    return placeOf(this.#config, this.#request);
  }

  get announcedBytes(): number {
    return Number(this.#request.headers['content-length'] ?? 0);
  }

  get device(): string {
    return deviceText(this.#request.headers['user-agent'] ?? '');
  }

  get signal(): Departure {
    return new ClientDeparture(this.#reply.raw);
  }
}

const CLIENT_CHARACTERS_MAX = 60;

/** The client's name in the request, or the first word of its User-Agent. */
function clientOf(request: FastifyRequest, given: string | undefined): string {
  const name = given ?? request.headers['user-agent'] ?? '';
  const word = given === undefined ? name.split(/[/ ]/, 1)[0] : name;
  const printable = (word ?? '').toWellFormed().replaceAll(/\p{C}/gu, '').trim();
  return Array.from(printable).slice(0, CLIENT_CHARACTERS_MAX).join('') || 'Unspecified';
}
