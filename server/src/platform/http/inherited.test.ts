import { describe, expect, it } from 'vitest';
import { takeInheritedSocket } from './inherited.ts';

describe('an inherited socket', () => {
  it('is taken once, and no child of this process takes it again', () => {
    const environment = { LISTEN_PID: '7', LISTEN_FDS: '1', LISTEN_FDNAMES: 'http', HOME: '/' };
    expect(takeInheritedSocket(environment, 7)).toEqual({ fd: 3 });
    expect(environment).toEqual({ HOME: '/' });
    expect(takeInheritedSocket(environment, 7)).toBeUndefined();
  });

  it.each([
    ['nothing was handed over', {}],
    ['it was meant for another process', { LISTEN_PID: '6', LISTEN_FDS: '1' }],
    ['it was meant for nobody', { LISTEN_FDS: '1' }],
    ['there is none', { LISTEN_PID: '7' }],
  ])('is not taken when %s', (_when, environment) => {
    expect(takeInheritedSocket(environment, 7)).toBeUndefined();
  });

  it.each(['0', '2', 'many', ''])('is refused when LISTEN_FDS is "%s"', (count) => {
    const take = () => takeInheritedSocket({ LISTEN_PID: '7', LISTEN_FDS: count }, 7);
    expect(take).toThrow('One listening socket was expected');
  });
});
