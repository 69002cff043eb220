// The baseline of `bench fanout`, in a process of its own: node:http with nothing around it. Each request waits until the
// process is told a text, which is then the answer to all that wait.
import { createServer, type ServerResponse } from 'node:http';

const waiting: ServerResponse[] = [];
const server = createServer((_request, response) => waiting.push(response));
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port));
process.on('message', (text: string) => {
  const body = Buffer.from(text);
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  for (const response of waiting.splice(0)) response.writeHead(200, headers).end(body);
});
process.on('disconnect', () => process.exit());
