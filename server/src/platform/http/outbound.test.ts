import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createPublicLookup,
  findUrlProblem,
  ForbiddenAddress,
  isPublicAddress,
  OUTBOUND_DEADLINE_MS,
  postOutbound,
  type Resolve,
} from './outbound.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

const NOT_PUBLIC = [
  // This host, private networks, link-local with the metadata service, carriers' networks.
  `127.0.0.1 127.255.255.254 0.0.0.0 0.1.2.3 10.1.2.3 10.255.255.255 172.16.0.1 172.31.255.255
   192.168.0.1 169.254.0.1 169.254.169.254 100.64.0.1 100.127.255.255`,
  // Assigned to protocols, documentation and benchmarks; multicast; reserved.
  `192.0.0.1 192.0.0.8 192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 192.88.99.1
   224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255`,
  // The same of IPv6.
  `:: ::1 fe80::1 fe80::1%eth0 febf::1 fec0::1 fc00::1 fd00::1 fd12:3456::1 ff02::1 ff0e::1 100::1
   2001:db8::1 3fff::1 5f00::1`,
  // IPv4 in IPv6: mapped, compatible, translated, tunneled.
  `::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::127.0.0.1 ::7f00:1 ::a00:1
   ::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b:1::1 2002:7f00:1:: 2002:a00:1::1 2001::1
   2001:0:4136:e378:: 2001:2::1 2001:10::1 2001:20::1`,
  // Unassigned ranges; texts that are not addresses.
  '4000::1 8000::1 200::1 e000::1 localhost 1.2.3.4.5 gggg::1',
].flatMap(words);

const REFUSED = [
  `http://push.example/x ftp://push.example/x javascript:alert(1) push.example file:///etc/passwd
   gopher://push.example/ data:text/plain,x https:// unix:/var/run/docker.sock
   http+unix://%2Fvar%2Frun%2Fdocker.sock/x`,
  'https://name:word@push.example/ https://push.example@127.0.0.1/',
  `https://127.0.0.1/ https://127.0.0.1./ https://127.1/ https://0177.0.0.1/ https://0x7f.1/
   https://0x7f000001/ https://2130706433/ https://0/ HTTPS://127.0.0.1/
   https://169.254.169.254/latest/meta-data/`,
  `https://[::1]/ https://[::]/ https://[::ffff:10.0.0.1]/ https://[::127.0.0.1]/
   https://[fe80::1%25eth0]/`,
  // Characters that browsers treat as digits and dots.
  'https://①②⑦.⓪.⓪.①/ https://１２７.0.0.1/ https://127。0。0。1/',
  `https://push.example:22/ https://push.example:6379/ https://1.1.1.1:8443/ https://push.example:80/
   https:\\\\127.0.0.1\\`,
].flatMap(words);

it('at least sixty addresses and thirty URLs are tried', () => {
  expect(NOT_PUBLIC.length).toBeGreaterThanOrEqual(60);
  expect(REFUSED.length).toBeGreaterThanOrEqual(30);
});

describe('an address', () => {
  it.each([...NOT_PUBLIC, '', ' '])('%j is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['1.1.1.1', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001::200e'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe('a URL', () => {
  it.each([...REFUSED, ''])('%j is refused before any lookup', async (url) => {
    expect(findUrlProblem(url, false)).toEqual(expect.any(String));
    const post = { url, headers: {}, body: Buffer.of(), timeoutMs: 100, allowsPrivate: false };
    await expect(postOutbound(post)).rejects.toThrow(ForbiddenAddress);
  });

  it.each(['https://push.example/x', 'https://push.example:443/x', 'HTTPS://Push.Example/'])(
    '%s is allowed',
    (url) => {
      expect(findUrlProblem(url, false)).toBeUndefined();
    },
  );

  it.each(['https://localhost/', 'https://LOCALHOST/'])(
    '%s is refused when its name is looked up',
    async (url) => {
      const post = { url, headers: {}, body: Buffer.of(), timeoutMs: 5000, allowsPrivate: false };
      expect(findUrlProblem(url, false)).toBeUndefined();
      await expect(postOutbound(post)).rejects.toThrow('leads to a private network');
    },
  );
});

describe('a name', () => {
  /** Answers with these one after the other, like an attacker's name server. */
  function nameServer(...answers: string[][]): { resolve: Resolve; asked: () => number } {
    let asked = 0;
    const resolve: Resolve = (_hostname, _options, done) => {
      const found = answers[Math.min(asked, answers.length - 1)] ?? [];
      asked += 1;
      done(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    };
    return { resolve, asked: () => asked };
  }

  const look = (resolve: Resolve, all: boolean) =>
    new Promise((fulfil, reject) => {
      createPublicLookup(resolve)('rebinding.example', { all }, (error, found) => {
        if (error === null) fulfil(found);
        else reject(error);
      });
    });

  it('that resolves to the public Internet first and to this machine then is refused then, with one lookup each', async () => {
    const { resolve, asked } = nameServer(['93.184.216.34'], ['127.0.0.1']);
    // The checked address is the one that is connected to: there is no second lookup.
    expect(await look(resolve, true)).toEqual([{ address: '93.184.216.34', family: 4 }]);
    expect(asked()).toBe(1);
    await expect(look(resolve, true)).rejects.toThrow(ForbiddenAddress);
    expect(asked()).toBe(2);
  });

  it.each([
    [['93.184.216.34', '127.0.0.1']],
    [['10.0.0.1', '93.184.216.34']],
    [['2606:4700::1111', '::1']],
    [['2606:4700::1111', '::ffff:169.254.169.254']],
    [[]],
    [['not an address']],
  ])('that resolves to %j is refused, whichever of them would be taken', async (addresses) => {
    for (const all of [true, false]) {
      await expect(look(nameServer(addresses).resolve, all)).rejects.toThrow(ForbiddenAddress);
    }
  });

  it('that the name server does not know is no reason to go elsewhere', async () => {
    const resolve: Resolve = (_hostname, _options, done) =>
      done(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), []);
    await expect(look(resolve, true)).rejects.toThrow('unknown');
  });
});

describe('a server that was chosen by somebody else', () => {
  const open: { close(): unknown }[] = [];
  afterEach(() => {
    for (const server of open.splice(0)) server.close();
  });

  async function listen(server: Server): Promise<string> {
    open.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  const post = (url: string, timeoutMs = 5000) =>
    postOutbound({ url, headers: {}, body: Buffer.from('x'), timeoutMs, allowsPrivate: true });

  it('cannot send us elsewhere: redirects are not followed', async () => {
    let reached = 0;
    const target = await listen(
      createServer((_request, response) => {
        reached += 1;
        response.end();
      }),
    );
    for (const status of [301, 302, 303, 307, 308]) {
      const url = await listen(
        createServer((_request, response) =>
          response.writeHead(status, { location: target }).end(),
        ),
      );
      expect(await post(url)).toBe(status);
    }
    expect(reached).toBe(0);
  });

  it('cannot make us read without end: the body is not read', async () => {
    let sent = 0;
    const closed = Promise.withResolvers<void>();
    const url = await listen(
      createServer((_request, response) => {
        response.on('close', closed.resolve);
        const more = () => {
          if (response.destroyed) return;
          sent += 65_536;
          response.write(Buffer.alloc(65_536), () => setImmediate(more));
        };
        more();
      }),
    );
    expect(await post(url)).toBe(200);
    await closed.promise;
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it('cannot make us wait without end: neither by silence nor by slow headers', async () => {
    const silent = await listen(createTcpServer(() => {}));
    const slow = await listen(
      createTcpServer((socket) => {
        socket.on('error', () => {});
        socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket.write('x-more: 1\r\n'), 20);
        socket.on('close', () => clearInterval(timer));
      }),
    );
    for (const url of [silent, slow]) await expect(post(url, 200)).rejects.toThrow(/abort/i);
    // There is a limit, whatever the caller allows.
    const startedMs = performance.now();
    await expect(post(silent, 600_000)).rejects.toThrow(/abort/i);
    expect(performance.now() - startedMs).toBeLessThan(4 * OUTBOUND_DEADLINE_MS);
  }, 60_000);

  it('gets at most ten requests at once', async () => {
    let now = 0;
    let most = 0;
    const url = await listen(
      createServer((_request, response) => {
        now += 1;
        most = Math.max(most, now);
        setTimeout(() => {
          now -= 1;
          response.end();
        }, 30);
      }),
    );
    const statuses = await Promise.all(Array.from({ length: 35 }, () => post(url)));
    expect(statuses.every((status) => status === 200)).toBe(true);
    expect(most).toBe(10);
  });
});
