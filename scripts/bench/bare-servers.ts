// The baselines of `bench http`, each in its own process: `node bare-servers.ts node|fastify`. They
// return the same bytes as our /public/ping and /public/time, and do nothing else.
import { createServer } from 'node:http';
import { fastify } from 'fastify';

const kind = process.argv[2];
const body = (result: string) =>
  JSON.stringify({ status: 'true', serverTime: String(Date.now()), result });

if (kind === 'node') {
  const server = createServer((request, response) => {
    const text = body(request.url === '/v1/public/ping' ? 'pong' : String(Date.now()));
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  });
  server.listen(0, '127.0.0.1', () => announce((server.address() as { port: number }).port));
} else {
  const app = fastify();
  app.get('/v1/public/ping', (_request, reply) => {
    void reply.type('application/json; charset=utf-8').send(body('pong'));
  });
  app.get('/v1/public/time', (_request, reply) => {
    void reply.type('application/json; charset=utf-8').send(body(String(Date.now())));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  announce((app.server.address() as { port: number }).port);
}

function announce(port: number): void {
  console.log(JSON.stringify({ port }));
}
