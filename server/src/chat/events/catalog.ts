/** Event types that a chat client gets when it did not choose. */
const CHAT_EVENTS: ReadonlySet<string> = new Set(['drafts', 'realm_user']);

export const isChatEvent = (type: string): boolean => CHAT_EVENTS.has(type);
