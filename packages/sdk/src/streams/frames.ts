// The frames of the socket: what is sent, what comes back, and how a text is recognised as one of them.

export interface ErrorBody {
  readonly code: string;
  readonly name: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly kind: 'answer';
  readonly id: string;
  readonly op: string;
  readonly serverTime: string;
  readonly result: unknown;
  readonly error: ErrorBody | undefined;
}

/** What the server sends by itself on a channel. */
export interface Push {
  readonly kind: 'push';
  readonly channel: string;
  readonly type: 'snapshot' | 'update';
  readonly time: string;
  readonly data: unknown;
  readonly streamSeq: string | undefined;
  readonly engineSeq: string | undefined;
}

/** The server will close this connection at `time`. */
export interface Closing {
  readonly kind: 'closing';
  readonly reason: string;
  readonly time: string;
}

/** A notice that this version does not know, or that needs no act: the protocol may grow. */
export interface Notice {
  readonly kind: 'notice';
  readonly type: string;
}

export type Frame = Answer | Push | Closing | Notice;

/** Undefined for a text that is no JSON object. */
export function parseFrame(text: string): Frame | undefined {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const time = textOf(value['time']) ?? '';
  if (typeof value['channel'] === 'string') {
    return {
      kind: 'push',
      channel: value['channel'],
      type: value['type'] === 'snapshot' ? 'snapshot' : 'update',
      time,
      data: value['data'],
      streamSeq: textOf(value['streamSeq']),
      engineSeq: textOf(value['engineSeq']),
    };
  }
  if (value['type'] === 'closing') {
    return { kind: 'closing', reason: textOf(value['reason']) ?? '', time };
  }
  if (typeof value['op'] !== 'string') return { kind: 'notice', type: textOf(value['type']) ?? '' };
  return {
    kind: 'answer',
    id: textOf(value['id']) ?? '',
    op: value['op'],
    serverTime: textOf(value['serverTime']) ?? '',
    result: value['result'],
    error: value['status'] === 'true' ? undefined : errorOf(value['error']),
  };
}

/** Texts stay, numbers become texts, and everything else counts as absent. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : undefined;
}

function errorOf(value: unknown): ErrorBody {
  const body = (value ?? {}) as Partial<ErrorBody>;
  return {
    ...body,
    code: body.code ?? '1000',
    name: body.name ?? 'INTERNAL',
    message: body.message ?? 'The server refused the operation without a reason.',
  };
}
