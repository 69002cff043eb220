import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { pause } from '../../platform/std/wait.ts';
import { openDesk, type Desk } from '../../testing/trading/desk.ts';
import { openStream } from '../../testing/trading/stream.ts';
import { QUEUE_BYTES_MAX } from './connection.ts';

/** A client whose socket the test can stop reading. */
async function openSocket(desk: Desk, options: WebSocket.ClientOptions = {}) {
  const ws = new WebSocket(`${desk.server.origin.replace('http', 'ws')}/v1/ws`, options);
  const texts: string[] = [];
  ws.on('message', (data: Buffer) => texts.push(data.toString()));
  ws.on('error', () => {});
  const closed = new Promise<number>((resolve) => ws.once('close', resolve));
  await new Promise((resolve) => ws.once('open', resolve));
  return { ws, texts, closed };
}

describe('a slow reader', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk({ settings: { STREAM_FRAMES_PER_SECOND_MAX: '1000000' } });
  });
  afterAll(() => desk.close());

  it('is told, loses no answer, and gets a snapshot when it reads again', async () => {
    const maker = await desk.trader();
    const { ws, texts, closed } = await openSocket(desk, { perMessageDeflate: false });
    ws.send('{"op":"subscribe","channels":["depth:btcusdt","trades:btcusdt"]}');
    await expect
      .poll(() => texts.filter((text) => text.includes('"snapshot"')).length, { timeout: 10_000 })
      .toBe(2);
    ws.pause();
    // The system takes some MB before anything waits in the process.
    let asked = 0;
    const behind = async () => {
      const { body } = await metricsOf(desk);
      return /^rialto_stream_behind_total\{[^}]*\} [1-9]/m.test(body);
    };
    while (!(await behind())) {
      // An answer repeats the operation.
      for (let n = 0; n < 20; n += 1) {
        ws.send(`{"id":"${asked}","op":"fly${'x'.repeat(20_000)}"}`);
        asked += 1;
      }
      await pause(20);
    }
    await desk.place(maker, { price: '63000.00', volume: '0.01' });
    await pause(300);
    ws.resume();
    await expect
      .poll(() => texts.filter((text) => text.includes('"type":"snapshot"')).at(-1), {
        timeout: 10_000,
      })
      .toContain('"price":"63000.00"');
    expect(texts.filter((text) => text.includes('"type":"slow"'))).toHaveLength(1);
    for (let n = 0; n < asked; n += 1) {
      expect(
        texts.some((text) => text.includes(`"id":"${n}"`)),
        `answer ${n}`,
      ).toBe(true);
    }
    // After the snapshot it follows again.
    await desk.place(maker, { price: '63001.00', volume: '0.01' });
    await expect.poll(() => texts.at(-1)).toContain('"price":"63001.00"');
    ws.terminate();
    await closed;
  });

  it('is closed with 4008 when more than 4 MiB wait', async () => {
    const { ws, texts, closed } = await openSocket(desk, { perMessageDeflate: false });
    ws.send('{"op":"subscribe","channels":["status"]}');
    await expect.poll(() => texts.length).toBeGreaterThan(0);
    ws.pause();
    const isClosed = async () => {
      const { body } = await metricsOf(desk);
      return /^rialto_stream_closed_total\{[^}]*code="4008"[^}]*\} 1/m.test(body);
    };
    let sent = 0;
    while (!(await isClosed())) {
      for (let n = 0; n < 100; n += 1) ws.send(`{"op":"fly${'x'.repeat(5000)}"}`);
      sent += 100;
      // Each answer repeats the operation; with this many the limit is long passed, however far behind the server is.
      expect(sent * 5000).toBeLessThan(100 * QUEUE_BYTES_MAX);
      await pause(20);
    }
    ws.terminate();
    await closed;
  });
});

const metricsOf = (desk: Desk) => desk.server.ctx.metrics.render();

describe('a connection', () => {
  it('is pinged, and closed when nothing comes from the client', async () => {
    const desk = await openDesk({ settings: { STREAM_PING_MS: '200', STREAM_SILENCE_MS: '1500' } });
    const lively = await openSocket(desk);
    let pings = 0;
    lively.ws.on('ping', () => (pings += 1));
    const silent = await openSocket(desk, { autoPong: false });
    expect(await silent.closed).toBe(1001);
    expect(lively.ws.readyState).toBe(WebSocket.OPEN);
    expect(pings).toBeGreaterThan(0);
    lively.ws.terminate();
    await desk.close();
  });

  it('is told of its age, and then closed with 4010', async () => {
    const desk = await openDesk({ settings: { STREAM_AGE_MAX_MS: '2500' } });
    const client = await openStream(desk.server);
    const notice = await client.until(({ type }) => type === 'closing');
    expect(notice).toMatchObject({ type: 'closing', reason: 'age' });
    expect((await client.ask('ping')).status).toBe('true');
    expect(await client.closed).toBe(4010);
    await desk.close();
  });

  it('is told of a stop and closed with 4010; one that does not read does not hold it up', async () => {
    const desk = await openDesk();
    const client = await openStream(desk.server);
    await client.get('subscribe', { channels: ['depth:btcusdt'] });
    const deaf = await openSocket(desk);
    deaf.ws.pause();
    const startedMs = performance.now();
    const closing = desk.close();
    expect(await client.closed).toBe(4010);
    expect(client.pushes.at(-1)).toMatchObject({ type: 'closing', reason: 'shutdown' });
    await closing;
    expect(performance.now() - startedMs).toBeLessThan(desk.server.ctx.config.STOP_DEADLINE_MS / 2);
    deaf.ws.terminate();
  });
});
