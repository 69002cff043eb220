// The built-in kinds of external accounts for profiles.

interface ExternalAccount {
  readonly text: string;
  readonly name: string;
  readonly hint: string;
  readonly url_pattern: string;
}

const account = (text: string, base: string, hint = ''): ExternalAccount => ({
  text,
  name: `${text} username`,
  hint,
  url_pattern: `${base}%(username)s`,
});

export const EXTERNAL_ACCOUNTS: Readonly<Record<string, ExternalAccount>> = {
  atlassian: account('Atlassian', 'https://team.atlassian.com/people/'),
  behance: account('Behance', 'https://www.behance.net/'),
  bitbucket: account('Bitbucket', 'https://bitbucket.org/'),
  bluesky: account('Bluesky', 'https://bsky.app/profile/'),
  codeberg: account('Codeberg', 'https://codeberg.org/'),
  discord: account('Discord', 'https://discord.com/users/', 'The number of the account'),
  dribbble: account('Dribbble', 'https://dribbble.com/'),
  facebook: account('Facebook', 'https://www.facebook.com/'),
  github: account('GitHub', 'https://github.com/'),
  gitlab: account('GitLab', 'https://gitlab.com/'),
  instagram: account('Instagram', 'https://www.instagram.com/'),
  linkedin: account('LinkedIn', 'https://www.linkedin.com/in/'),
  mastodon: account('Mastodon', 'https://', 'Server and account, as in mastodon.social/@name'),
  medium: account('Medium', 'https://medium.com/@'),
  pinterest: account('Pinterest', 'https://www.pinterest.com/'),
  reddit: account('Reddit', 'https://www.reddit.com/user/'),
  snapchat: account('Snapchat', 'https://www.snapchat.com/add/'),
  threads: account('Threads', 'https://www.threads.net/@'),
  tiktok: account('TikTok', 'https://www.tiktok.com/@'),
  twitch: account('Twitch', 'https://www.twitch.tv/'),
  x: account('X', 'https://x.com/'),
  youtube: account('YouTube', 'https://www.youtube.com/@'),
};

export const findExternalAccount = (subtype: unknown): ExternalAccount | undefined =>
  typeof subtype === 'string' && Object.hasOwn(EXTERNAL_ACCOUNTS, subtype)
    ? EXTERNAL_ACCOUNTS[subtype]
    : undefined;
