// Occupants of an XMPP room on bare sockets: as little as possible beside what is measured. Each counts the messages that
// it gets and looks at nothing else of them.
import { connect, type Socket } from 'node:net';

const ROOM = 'desk@conference.localhost';

export const OPENING =
  "<stream:stream to='localhost' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>";
const AUTH = "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='ANONYMOUS'/>";
const BIND =
  "<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq><presence/>";
const END = '</message>';

export interface Occupant {
  /** Resolves when this occupant's own message has come back, which is after it was archived. */
  say(text: string): Promise<void>;
}

export interface Room {
  readonly occupants: readonly Occupant[];
  /** Resolves when every occupant has got this many more messages than at the last call. */
  received(count: number): Promise<void>;
  close(): void;
}

const join = (nick: string): string =>
  `<presence to='${ROOM}/${nick}'><x xmlns='http://jabber.org/protocol/muc'><history maxstanzas='0'/></x></presence>`;

/** They enter one after the other. */
export async function enterRoom(port: number, count: number): Promise<Room> {
  let missing = 0;
  let wake = () => {};
  const sockets: Socket[] = [];
  const occupants: Occupant[] = [];
  for (let n = 0; n < count; n += 1) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    sockets.push(socket);
    socket.setEncoding('utf8');
    const from = `${ROOM}/p${n}`;
    await converse(socket, OPENING, '</stream:features>');
    await converse(socket, AUTH, '<success');
    await converse(socket, OPENING, '</stream:features>');
    await converse(socket, BIND, '</iq>');
    // The subject comes last, and is a message.
    await converse(socket, join(`p${n}`), END);
    let rest = '';
    let heard = () => {};
    socket.on('data', (chunk: string) => {
      const parts = (rest + chunk).split(END);
      rest = parts.pop() ?? '';
      missing -= parts.length;
      if (missing <= 0) wake();
      if (parts.some((part) => part.includes(from))) heard();
    });
    occupants.push({
      say: (text) =>
        new Promise((resolve) => {
          heard = resolve;
          socket.write(`<message to='${ROOM}' type='groupchat'><body>${text}</body></message>`);
        }),
    });
  }
  return {
    occupants,
    received: (wanted) =>
      new Promise((resolve) => {
        missing = wanted * count;
        wake = resolve;
      }),
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

const ANSWER_MS = 30_000;

/** Writes `text` and reads until `sign` has come. */
function converse(socket: Socket, text: string, sign: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const end = (settle: () => void) => {
      clearTimeout(timer);
      socket.off('data', read).off('error', reject);
      settle();
    };
    const read = (chunk: string) => {
      said += chunk;
      if (said.includes('<failure') || said.includes("type='error'"))
        end(() => reject(new Error(`ejabberd refused: ${said}`)));
      else if (said.includes(sign)) end(resolve);
    };
    const timer = setTimeout(
      () => end(() => reject(new Error(`ejabberd did not say ${sign}, but: ${said}`))),
      ANSWER_MS,
    );
    socket.on('data', read).once('error', reject);
    socket.write(text);
  });
}
