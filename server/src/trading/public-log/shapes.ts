// What the routes of the public log answer.
import { Type, type Static } from 'typebox';
import { Count, Millis } from '../values.ts';
import type { HeadRow } from './store.ts';

const Hash = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });

export const SignedHead = Type.Object(
  {
    seq: Count('The event that was the last.'),
    hash: Hash('Its hash, which covers all events before it.'),
    time: Millis('When it was signed.'),
    keyId: Type.String({ description: 'Which key of `/public/signing_keys` has signed.' }),
    signature: Type.String({
      description:
        'Ed25519 in base64, over `{"seq":"…","hash":"…","time":"…","keyId":"…"}` with these values.',
    }),
  },
  { title: 'PublicHead' },
);
export type SignedHead = Static<typeof SignedHead>;

export const MaybeHead = Type.Union([SignedHead, Type.Null()]);

const EventText = Type.String({
  description: 'The event, as canonical JSON; exactly this text is hashed.',
});

const LogItem = Type.Object(
  {
    text: EventText,
    hash: Hash('SHA-256 of the hash before it (in hexadecimal) followed by the text.'),
  },
  { title: 'PublicEvent' },
);

export const LogPage = Type.Object(
  {
    items: Type.Array(LogItem, { description: 'Oldest first, without a gap.' }),
    nextSeq: Count('Where to go on; as `fromSeq` of the next call.'),
    head: MaybeHead,
  },
  { title: 'PublicLogPage' },
);

export const LogCheckpoint = Type.Object(
  {
    seq: Count('The number of the event.'),
    text: EventText,
    hash: Hash('Its hash.'),
    book: Type.String({
      description: 'All visible books at this event; its SHA-256 is `bookHash` of the event.',
    }),
  },
  { title: 'PublicLogCheckpoint' },
);

export const PublishedKey = Type.Object(
  {
    keyId: Type.String({
      description: 'The first 16 digits of the SHA-256 of `publicKey`.',
    }),
    publicKey: Type.String({ description: 'Ed25519, 32 bytes in base64.' }),
    from: Millis('Since when it signs.'),
  },
  { title: 'PublicSigningKey' },
);

export const toSignedHead = ({ event, hash, timeMs, keyId, signature }: HeadRow): SignedHead => ({
  seq: String(event),
  hash,
  time: String(timeMs),
  keyId,
  signature,
});
