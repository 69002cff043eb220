// An operation of an API, as the head of its page and its form for trying it show it. In Markdown it is a block
// `operation` with JSON.

export interface Operation {
  readonly api: 'trading' | 'chat' | 'administration';
  /** As in the contract; unique within its API. */
  readonly id: string;
  readonly method: string;
  /** With the prefix of its API and with `{name}` for a part: `/v1/private/order/create`. */
  readonly path: string;
  /** How a caller proves who they are. Only the first three can be tried on the page. */
  readonly authentication: 'none' | 'signature' | 'chat-key' | 'session';
  /** Short words for badges: scopes, roles, what may not call it. */
  readonly access: readonly string[];
  readonly parameters: readonly OperationParameter[];
  /** Whether calling it changes nothing, so that the form needs no warning. */
  readonly isRead: boolean;
  /** Why it cannot be tried, for example because it takes a file or waits for events. */
  readonly notTried?: string;
}

export interface OperationParameter {
  readonly name: string;
  /** `form` and `json` are the two kinds of bodies. */
  readonly in: 'path' | 'query' | 'header' | 'form' | 'json';
  readonly isRequired: boolean;
  /** In words: `decimal string`, `integer, 1 to 1000`. */
  readonly type: string;
  /** The value is not text: it is sent as JSON. */
  readonly isJson: boolean;
  /** The only values that it takes, as text. */
  readonly values?: readonly string[];
  /** Stands in the form at first. */
  readonly example?: string;
  readonly description?: string;
}

/** The first such block of a text. */
export const OPERATION = /^```operation\n(.*)\n```$/m;

/** The block of Markdown that becomes the head of the page and the form. */
export const operationBlock = (operation: Operation): string =>
  `\`\`\`operation\n${JSON.stringify(operation)}\n\`\`\`\n`;
