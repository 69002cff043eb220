// The baseline of `bench streams`, in a process of its own: the library `ws` as its documentation uses it, which sends
// each text that it is told to everybody who is connected.
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
server.on('listening', () => process.send?.((server.address() as { port: number }).port));
process.on('message', (text: string) => {
  const data = Buffer.from(text);
  for (const client of server.clients) client.send(data, { binary: false });
});
process.on('disconnect', () => process.exit());
