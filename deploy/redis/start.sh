#!/bin/sh
# Starts Redis for the rate windows. Two users, see users.acl:
#   rialto  the server: counts in its own keys and calls the one script that is loaded. It can neither bring a script
#           (EVAL), nor empty, list, configure or copy anything.
#   loader  loads that script, right after the start; its password is drawn here and known to nobody else.
# Nothing is kept on disk: a Redis that restarts begins with empty windows and with the script.
set -eu
[ -z "${BUS_PASSWORD_FILE:-}" ] || BUS_PASSWORD=$(cat "$BUS_PASSWORD_FILE")
: "${BUS_PASSWORD:?give BUS_PASSWORD_FILE, the name of a file with the password; deploy/make-secrets.sh makes one}"
here=$(dirname "$0")
script=${ADMIT_SCRIPT:-$here/admit.lua}
run=${RUN_DIR:-/tmp}
port=${REDIS_PORT:-6379}
umask 077

hash() { printf '%s' "$1" | sha256sum | cut -d ' ' -f 1; }
loader=$(head -c 32 /dev/urandom | sha256sum | cut -d ' ' -f 1)
sed -e "s/RIALTO_HASH/$(hash "$BUS_PASSWORD")/" -e "s/LOADER_HASH/$(hash "$loader")/" \
  "$here/users.acl" > "$run/users.acl"
cat > "$run/redis.conf" <<CONF
bind ${REDIS_BIND:-*}
port $port
dir $run
save ""
appendonly no
maxmemory 256mb
maxmemory-policy noeviction
aclfile $run/users.acl
CONF

(
  export REDISCLI_AUTH="$loader"
  tries=300
  until redis-cli -p "$port" --user loader --no-auth-warning ping 2>&1 | grep -q PONG; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || exit 1
    sleep 0.1
  done
  redis-cli -p "$port" --user loader --no-auth-warning -x SCRIPT LOAD < "$script"
) &
unset BUS_PASSWORD
exec redis-server "$run/redis.conf"
