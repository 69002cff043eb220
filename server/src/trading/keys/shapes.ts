// A trading key on the wire.
import { Type, type Static } from 'typebox';
import { KEY_TYPES, PERMISSIONS } from '../../accounts/trading-keys/key.ts';
import type { OwnKey } from '../../accounts/trading-keys/own-store.ts';
import { LABEL_PATTERN } from '../sub-accounts/shapes.ts';
import { Choice, Count, MarketSymbol, MaybeMillis, Millis, toMillis } from '../values.ts';

const LABEL_MAX = 64;
const RANGES_MAX = 20;
const MARKETS_MAX = 50;

export const KeyId = Type.String({
  maxLength: 64,
  description: 'The key.',
  examples: ['svc_key_2b7e151628aed2a6'],
});

export const Permissions = Type.Array(Choice(PERMISSIONS, 'What the key may do.'), {
  minItems: 1,
  maxItems: PERMISSIONS.length,
  description:
    'What the key may do: `read`, `trade`, `transfer`, `withdraw`. `withdraw` needs an `ipAllowlist`.',
});

export const IpAllowlist = Type.Array(
  Type.String({ maxLength: 64, description: 'An address, or a network without host bits.' }),
  {
    maxItems: RANGES_MAX,
    description:
      'From where the key may be used: addresses and networks, no wider than /8, or /32 for IPv6. Empty: from everywhere.',
  },
);

export const KeyMarkets = Type.Array(MarketSymbol, {
  maxItems: MARKETS_MAX,
  description: 'The markets in which the key may trade. Empty: in all.',
});

export const KeyLabel = Type.String({
  maxLength: LABEL_MAX,
  pattern: LABEL_PATTERN,
  description: 'Your name for the key, at most 64 characters.',
});

export const PublicKey = Type.String({
  maxLength: 64,
  description: 'For a key of type `ed25519`: your public key, 64 lower-case hexadecimal digits.',
});

export const ExpireTime = Millis(
  'When the key ends, within a year; within 90 days if it may trade from everywhere, which is also what an absent one means then.',
);

export const KeyTypeChoice = Choice(
  KEY_TYPES,
  '`hmac`: the venue makes a secret and shows it once. `ed25519`: you keep your private key, and give the public one.',
);

const APIKEY_MEMBERS = {
  keyId: Type.String({ description: 'The name of the key, which requests send.' }),
  accountId: Count('The account that the key acts for.'),
  label: Type.String({ description: "Its owner's name for it." }),
  type: KeyTypeChoice,
  publicKey: Type.String({ description: 'Of an Ed25519 key; empty for others.' }),
  permissions: Type.Array(Choice(PERMISSIONS, 'What the key may do.')),
  ipAllowlist: Type.Array(Type.String(), { description: 'Networks; empty: from everywhere.' }),
  markets: Type.Array(Type.String(), { description: 'Symbols; empty: in all.' }),
  createdAt: Millis('When it was made.'),
  expireTime: MaybeMillis('When it ends; empty if never.'),
  lastUsedAt: MaybeMillis('When it was last used, ten seconds late at most; empty if never.'),
  requireBoundSignature: Type.Boolean({
    description: 'Whether only signatures of version 2 are taken.',
  }),
  isEnabled: Type.Boolean({ description: 'A disabled key is refused like an unknown one.' }),
  replacedBy: Type.String({
    description: 'The key that takes its place; empty if none does.',
  }),
};

export const ApiKey = Type.Object(APIKEY_MEMBERS, { title: 'ApiKey' });

export const NewApiKey = Type.Object(
  {
    ...APIKEY_MEMBERS,
    secret: Type.String({
      description: 'The secret, shown only now; empty for an Ed25519 key.',
    }),
  },
  { title: 'NewApiKey' },
);

export const toApiKey = (key: OwnKey): Static<typeof ApiKey> => ({
  keyId: key.keyId,
  accountId: String(key.accountId),
  label: key.label,
  type: key.type,
  publicKey: key.publicKey?.toString('hex') ?? '',
  permissions: [...key.permissions],
  ipAllowlist: [...key.ipAllowlist],
  markets: [...key.markets],
  createdAt: toMillis(key.createdAt),
  expireTime: key.expiresAt === null ? '' : toMillis(key.expiresAt),
  lastUsedAt: key.lastUsedAt === null ? '' : toMillis(key.lastUsedAt),
  requireBoundSignature: key.requireBoundSignature,
  isEnabled: key.isEnabled,
  replacedBy: key.replacedBy ?? '',
});
