import { describe, expect, it } from 'vitest';
import { ROLE, type RoleCode } from '../roles.ts';
import {
  IN_THE_LOG,
  parsePlaceholder,
  placeholderEmail,
  seesAddress,
  shownEmail,
  shownName,
  toldEmail,
  visibilitiesBetween,
  type Sight,
} from './sight.ts';

const HOST = 'chat.example';
const person = { id: 7, botOwnerId: null, email: 'ada@home.example', fullName: 'Ada' };
const sight = (role: RoleCode, id = 9, known?: Set<number>): Sight => ({
  viewer: { id, role },
  host: HOST,
  known,
});

/** By visibility, the roles that see the address. */
const ADMITTED: readonly (readonly [visibility: number, roles: readonly RoleCode[]])[] = [
  [1, [ROLE.owner, ROLE.administrator, ROLE.moderator, ROLE.member]],
  [2, [ROLE.owner, ROLE.administrator, ROLE.moderator, ROLE.member]],
  [3, [ROLE.owner, ROLE.administrator]],
  [4, []],
  [5, [ROLE.owner, ROLE.administrator, ROLE.moderator]],
];

describe('who sees an address', () => {
  it.each(ADMITTED)('under %i: %j and nobody else', (emailVisibility, roles) => {
    const seen = Object.values(ROLE).filter((role) =>
      seesAddress({ id: 9, role }, { ...person, emailVisibility }),
    );
    expect(new Set(seen)).toEqual(new Set(roles));
  });

  it('is oneself and the owner of a bot, guests too', () => {
    const hidden = { ...person, emailVisibility: 4 };
    expect(seesAddress({ id: 7, role: ROLE.guest }, hidden)).toBe(true);
    expect(seesAddress({ id: 9, role: ROLE.guest }, { ...hidden, botOwnerId: 9 })).toBe(true);
    expect(seesAddress({ id: 8, role: ROLE.owner }, hidden)).toBe(false);
  });

  it('changes with the role', () => {
    expect(visibilitiesBetween(ROLE.member, ROLE.moderator)).toEqual([5]);
    expect(visibilitiesBetween(ROLE.moderator, ROLE.administrator)).toEqual([3]);
    expect(visibilitiesBetween(ROLE.administrator, ROLE.owner)).toEqual([]);
    expect(visibilitiesBetween(ROLE.guest, ROLE.member)).toEqual([1, 2]);
  });
});

describe('what somebody is called', () => {
  it('by members: the address if everyone may see it, and otherwise a placeholder', () => {
    for (const role of [ROLE.owner, ROLE.member]) {
      expect(shownEmail(sight(role), { ...person, emailVisibility: 1 })).toBe('ada@home.example');
      for (const emailVisibility of [2, 3, 4, 5]) {
        expect(shownEmail(sight(role), { ...person, emailVisibility })).toBe('user7@chat.example');
      }
    }
  });

  it('by guests: always a placeholder, unless it is themselves', () => {
    const open = { ...person, emailVisibility: 1 };
    expect(shownEmail(sight(ROLE.guest), open)).toBe('user7@chat.example');
    expect(shownEmail(sight(ROLE.guest, 7), open)).toBe('ada@home.example');
    expect(shownEmail(sight(ROLE.guest, 7), { ...open, emailVisibility: 2 })).toBe(
      'user7@chat.example',
    );
  });

  it('in events: the same, made from the form in the log', () => {
    for (const emailVisibility of [1, 2, 3, 4, 5]) {
      const logged = shownEmail(IN_THE_LOG, { ...person, emailVisibility });
      for (const role of Object.values(ROLE)) {
        expect(toldEmail(sight(role), 7, logged)).toBe(
          shownEmail(sight(role), { ...person, emailVisibility }),
        );
      }
    }
  });

  it('by people who do not know them: an unknown user', () => {
    expect(shownName(sight(ROLE.guest, 9, new Set([9])), person)).toBe('Unknown user');
    expect(shownName(sight(ROLE.guest, 9, new Set([7, 9])), person)).toBe('Ada');
    expect(shownName(sight(ROLE.guest), person)).toBe('Ada');
  });
});

describe('placeholders', () => {
  it('name a person, whatever the case', () => {
    expect(parsePlaceholder(placeholderEmail(7, HOST), HOST)).toBe(7);
    expect(parsePlaceholder('USER7@Chat.Example', HOST)).toBe(7);
  });

  it.each([
    'user7@elsewhere.example',
    'user07@chat.example',
    'user@chat.example',
    'ada@home.example',
  ])('are not %s', (email) => {
    expect(parsePlaceholder(email, HOST)).toBeUndefined();
  });
});
