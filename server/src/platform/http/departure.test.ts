import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ClientDeparture } from './departure.ts';

const waiting: ((response: ServerResponse) => void)[] = [];
const server = createServer((_request, response) => waiting.shift()?.(response));

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function ask() {
  const asked = new Promise<ServerResponse>((resolve) => waiting.push(resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  return { socket, response: await asked };
}

it('tells that the client went away while its call waited', async () => {
  const { socket, response } = await ask();
  const departure = new ClientDeparture(response);
  let told = 0;
  departure.addEventListener('abort', () => (told += 1));
  expect(departure.aborted).toBe(false);
  socket.destroy();
  await expect.poll(() => told).toBe(1);
  expect(departure.aborted).toBe(true);
});

it('a call that begins to wait after its client went away finds that out by asking', async () => {
  const { socket, response } = await ask();
  socket.destroy();
  await once(response, 'close');
  expect(new ClientDeparture(response).aborted).toBe(true);
});

it('tells nothing to who stopped listening before the answer', async () => {
  const { socket, response } = await ask();
  const departure = new ClientDeparture(response);
  let told = 0;
  const listener = () => (told += 1);
  departure.addEventListener('abort', listener);
  departure.removeEventListener('abort', listener);
  response.end('x');
  socket.destroy();
  await once(response, 'close');
  expect(told).toBe(0);
});
