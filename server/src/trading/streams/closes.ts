// Why the server closes a connection. The codes from 4000 on are ours and a public contract.

interface Close {
  readonly code: number;
  /** Sent with the code; at most 123 bytes. */
  readonly reason: string;
  readonly when: string;
}

export const CLOSES = {
  silent: {
    code: 1001,
    reason: 'No frame came for too long. Answer pings, or send {"op":"ping"}.',
    when: 'No frame came from the client for a minute; answers to pings count.',
  },
  binary: {
    code: 1003,
    reason: 'Frames are text, one JSON object each.',
    when: 'The client sent a binary frame.',
  },
  fault: {
    code: 1011,
    reason: 'Something went wrong on our side. Connect again.',
    when: 'An unexpected fault of the server.',
  },
  loginFailed: {
    code: 4001,
    reason: 'The login failed.',
    when: 'A login was refused; the answer before says why.',
  },
  keyRevoked: {
    code: 4002,
    reason: 'The key was revoked.',
    when: 'The key or the session of the connection ended.',
  },
  malformed: {
    code: 4003,
    reason: 'A frame is one JSON object.',
    when: 'A frame is not JSON, or not an object.',
  },
  slow: {
    code: 4008,
    reason: 'Read faster, or subscribe to less.',
    when: 'More than 4 MiB wait to be read by the client.',
  },
  frameRate: {
    code: 4009,
    reason: 'Too many frames in a second.',
    when: 'The client sent more frames in a second than a connection may.',
  },
  shutdown: {
    code: 4010,
    reason: 'The server stops, or the connection is old. Connect again.',
    when: 'The server stops, or the connection reached its age; a `closing` notice came before.',
  },
} as const satisfies Record<string, Close>;

export type CloseName = keyof typeof CLOSES;
