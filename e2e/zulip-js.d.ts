// The package brings no types. Only what the tests call is declared.
declare module 'zulip-js' {
  type Params = Readonly<Record<string, unknown>>;
  type Call = (params?: Params) => Promise<Answer>;

  /** The server's answer; a refusal is an answer too. */
  export type Answer = Readonly<Record<string, unknown>>;

  export interface Client {
    readonly config: { readonly apiKey: string | undefined };
    readonly accounts: { retrieve(): Promise<Answer> };
    readonly server: { settings: Call };
    readonly streams: {
      retrieve: Call;
      getStreamId(name: string): Promise<Answer>;
      readonly subscriptions: { retrieve: Call };
      readonly topics: { retrieve(params: { stream_id: number }): Promise<Answer> };
      deleteById(params: { stream_id: number }): Promise<Answer>;
    };
    readonly messages: {
      send: Call;
      retrieve: Call;
      render(content: string): Promise<Answer>;
      update: Call;
      getById: Call;
      getHistoryById: Call;
      deleteById: Call;
      deleteReactionById: Call;
      readonly flags: { add: Call; remove: Call };
    };
    readonly reactions: { add: Call; remove: Call };
    readonly queues: { register: Call; deregister: Call };
    readonly events: { retrieve: Call };
    readonly users: {
      retrieve: Call;
      create: Call;
      readonly me: {
        getProfile(): Promise<Answer>;
        readonly subscriptions: { add: Call; remove: Call };
      };
    };
    callEndpoint(path: string, method: string, params?: Params): Promise<Answer>;
    /** Runs as long as the process does. */
    callOnEachEvent(onEvent: (event: Answer) => void, types?: readonly string[]): Promise<never>;
  }

  type Config =
    | { readonly zuliprc: string }
    | { readonly realm: string; readonly username: string; readonly apiKey: string }
    | { readonly realm: string; readonly username: string; readonly password: string };

  export default function zulip(config: Config): Promise<Client>;
}
