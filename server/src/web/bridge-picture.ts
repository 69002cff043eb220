import { readFileSync } from 'node:fs';

/**
 * A picture of a bridge between an order book and a conversation. Decoration: screen readers skip it. It is part of
 * the page and not a file of its own, so that it takes the colours of the page.
 */
export const BRIDGE = readFileSync(new URL('bridge.svg', import.meta.url), 'utf8').trim();
