#!/bin/sh
# Starts NATS as the bus: core publish and subscribe, without streams, leaf nodes or a monitoring port. The server's user
# has its own subjects and the answers to its requests, and nothing else. The password stands in a file that only this
# user reads, because every process can see a command line.
set -eu
[ -z "${BUS_PASSWORD_FILE:-}" ] || BUS_PASSWORD=$(cat "$BUS_PASSWORD_FILE")
: "${BUS_PASSWORD:?give BUS_PASSWORD_FILE, the name of a file with the password; deploy/make-secrets.sh makes one}"
run=${RUN_DIR:-/tmp}
umask 077
password=$(printf '%s' "$BUS_PASSWORD" | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g')
cat > "$run/nats.conf" <<CONF
listen: "${NATS_BIND:-0.0.0.0}:${NATS_PORT:-4222}"
max_connections: 256
authorization {
  users: [
    {
      user: "rialto"
      password: "$password"
      permissions: { publish: ["rialto.>", "_INBOX.>"], subscribe: ["rialto.>", "_INBOX.>"] }
    }
  ]
}
CONF
unset BUS_PASSWORD
exec nats-server -c "$run/nats.conf"
