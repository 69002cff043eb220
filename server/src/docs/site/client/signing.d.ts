export interface Key {
  readonly keyId: string;
  readonly secret: string;
}
export declare function isEd25519(keyId: string): boolean;
export declare function sign(text: string, key: Key): Promise<string>;
