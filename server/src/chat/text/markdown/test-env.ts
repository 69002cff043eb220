// The people, groups and channels that the tests' texts name.
import { EMPTY_ENV, type RenderEnv } from './env.ts';

const user = (id: number, fullName: string, isActive = true) => ({ id, fullName, isActive });

export const EXAMPLE_ENV: RenderEnv = {
  ...EMPTY_ENV,
  origin: 'https://chat.example',
  external: { key: 'example' },
  users: [
    user(12, 'Ada Lovelace'),
    user(13, 'Charles Babbage', false),
    user(14, 'Twin Name'),
    user(15, 'twin name'),
    user(16, 'Éva O’Neil (ops)'),
    user(17, 'Pipe|99'),
    user(66, 'Mal "><img src=x onerror=canary()>'),
  ],
  groups: [
    { id: 7, name: 'devs', isActive: true },
    { id: 8, name: 'gone', isActive: false },
    { id: 3, name: 'role:members', displayName: 'Members', isActive: true },
    { id: 67, name: 'grp"><svg onload=canary()>', isActive: true },
  ],
  channels: [
    { id: 9, name: 'general' },
    { id: 10, name: 'R&D (labs) 100%' },
    { id: 11, name: 'دانش' },
    { id: 68, name: 'chan"><svg onload=canary()>' },
  ],
  topics: [
    { channelId: 9, topic: 'Lunch', latestMessageId: 214 },
    { channelId: 9, topic: '', latestMessageId: 215 },
  ],
  linkifiers: [
    { pattern: '#(?P<id>[0-9]{2,8})', urlTemplate: 'https://issues.example/{id}' },
    { pattern: 'PROJ-(?P<key>[^ ]+)', urlTemplate: 'https://wiki.example/{+key}' },
    { pattern: '(x+x+)+y', urlTemplate: 'https://slow.example/' },
    { pattern: 'JS(?P<code>.+)', urlTemplate: 'javascript:{+code}' },
    {
      pattern: '(?P<repo>[a-z]+)@(?P<sha>[0-9a-f]{7,40})',
      urlTemplate: 'https://git.example{/repo}/{sha}',
    },
  ],
  customEmoji: [
    { name: 'parrot', sourceUrl: '/user_avatars/2/emoji/images/4.gif' },
    { name: 'tada', sourceUrl: '/user_avatars/2/emoji/images/5.png' },
    { name: 'evil_emoji', sourceUrl: 'javascript:canary()' },
  ],
  uploads: [
    {
      path: '2/ab/cdef/cat.png',
      contentType: 'image/png',
      width: 800,
      height: 600,
      isThumbnailReady: true,
    },
    { path: '2/ab/cdef/new.jpg', contentType: 'image/jpeg', width: 40, height: 30 },
    { path: '2/ab/cdef/clip.mp4', contentType: 'video/mp4' },
    { path: '2/ab/cdef/song.mp3', contentType: 'audio/mpeg' },
    { path: '2/ab/cdef/notes.txt', contentType: 'text/plain' },
    {
      path: '2/ab/cdef/a b.png',
      contentType: 'image/png',
      width: 1,
      height: 1,
      isThumbnailReady: true,
    },
  ],
  embeds: [
    {
      url: 'https://news.example/story',
      title: 'A <story>',
      description: 'It "happened".',
      imageUrl: 'https://news.example/p(1).png',
    },
    {
      url: 'https://embed.example/evil',
      title: '"><script>canary()</script>',
      description: '<img src=x onerror=canary()>',
      imageUrl: 'javascript:canary()',
    },
  ],
};
