// What browsers send about passkeys, as `PublicKeyCredential.toJSON()` writes it. Every part is bounded here, before
// anything decodes it.
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

const BASE64URL = '^[A-Za-z0-9_-]+$';
const text = (maxLength: number) => Type.String({ pattern: BASE64URL, minLength: 1, maxLength });

/** A credential's id has at most 1023 bytes. */
const CredentialId = text(1364);
const ClientData = text(8192);
const TRANSPORTS_MAX = 10;

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

export const RegistrationJson = Type.Object({
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Literal('public-key'),
  response: Type.Object({
    clientDataJSON: ClientData,
    attestationObject: text(16_384),
    transports: Type.Optional(
      Type.Array(Type.String({ maxLength: 32 }), { maxItems: TRANSPORTS_MAX }),
    ),
  }),
  clientExtensionResults: Type.Optional(
    Type.Object({
      credProps: Type.Optional(Type.Object({ rk: Type.Optional(Type.Boolean()) })),
    }),
  ),
});
export type RegistrationJson = Static<typeof RegistrationJson>;

export const AssertionJson = Type.Object({
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Literal('public-key'),
  response: Type.Object({
    clientDataJSON: ClientData,
    authenticatorData: text(8192),
    signature: text(2048),
    /** Whom the passkey was made for; null or missing in one that cannot keep it. */
    userHandle: Type.Optional(Type.Union([text(128), Type.Literal(''), Type.Null()])),
  }),
});
export type AssertionJson = Static<typeof AssertionJson>;

/** Takes the object, or its JSON text as a header or a form carries it. Undefined if it is none. */
export const parseAssertion = (given: unknown): AssertionJson | undefined =>
  parse(given, AssertionJson);
export const parseRegistration = (given: unknown): RegistrationJson | undefined =>
  parse(given, RegistrationJson);

const TEXT_CHARACTERS_MAX = 32_768;

function parse<S extends typeof AssertionJson | typeof RegistrationJson>(
  given: unknown,
  schema: S,
): Static<S> | undefined {
  const value = typeof given === 'string' ? parseText(given) : given;
  return Value.Check(schema, value) ? value : undefined;
}

function parseText(given: string): unknown {
  if (given.length > TEXT_CHARACTERS_MAX) return undefined;
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}

/** The ways to reach it that we know; others say nothing to a browser. */
export const knownTransports = (given: readonly string[] = []): string[] =>
  TRANSPORTS.filter((one) => given.includes(one));
