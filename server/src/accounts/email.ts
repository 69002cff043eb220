/** Enough of an address to be looked up: one @, something on both sides, a dot or a local name. */
const EMAIL = /^[^\s@"<>(),:;\\[\]\p{Cc}]{1,64}@[^\s@"<>(),:;\\[\]\p{Cc}]{1,190}$/u;

export const isEmail = (text: string): boolean => EMAIL.test(text) && !text.endsWith('.');
