/** How a person proved who they are. A fixed list: it is a metric label. */
export type Method = 'password' | 'totp' | 'passkey' | 'recovery' | 'oidc';
