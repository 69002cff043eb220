// A link to a message goes on behind a "#", which no server sees. Who is not signed in signs in first, and comes back to it.
if (location.hash.startsWith('#narrow/')) {
  location.replace(`/login/?next=${encodeURIComponent(`/${location.hash}`)}`);
}
