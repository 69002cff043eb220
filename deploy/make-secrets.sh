#!/bin/sh
# Draws every secret of a deployment and writes each into its own file: sh deploy/make-secrets.sh [FOLDER]
# What is there already stays as it is, so a second run changes nothing.
# Keep a copy of master_key, audit_signing_key and public_signing_key where no backup of the database is: nothing can be opened without the first.
# POSTGRES_HOST, NATS_HOST and REDIS_HOST, each HOST or HOST:PORT, are for a deployment that is not the one of compose.yaml.
set -eu
folder=${1:-secrets}
umask 077
mkdir -p "$folder"

hexadecimal() { head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }
# 32 bytes in the alphabet of URLs.
urlsafe() { head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n'; }

# keep NAME TEXT
keep() {
  if [ -e "$folder/$1" ]; then
    echo "kept     $folder/$1"
    return
  fi
  printf '%s\n' "$2" > "$folder/$1"
  # In a container everybody who reads them has the number 1000.
  if [ "$(id -u)" = 0 ]; then
    chown 1000:1000 "$folder/$1"
  elif [ "$(id -u)" != 1000 ]; then
    # This user cannot give files away. The folder keeps others of this machine out.
    chmod 0444 "$folder/$1"
  fi
  echo "written  $folder/$1"
}
of() { cat "$folder/$1"; }

keep master_key "$(hexadecimal)"
keep audit_signing_key "$(urlsafe)"
keep public_signing_key "$(urlsafe)"
keep postgres_password "$(hexadecimal)"
keep database_owner_url "postgres://rialto:$(of postgres_password)@${POSTGRES_HOST:-postgres:5432}/rialto"
keep database_url "postgres://rialto_server:$(hexadecimal)@${POSTGRES_HOST:-postgres:5432}/rialto"
keep bus_password "$(hexadecimal)"
keep nats_url "nats://rialto:$(of bus_password)@${NATS_HOST:-nats:4222}"
keep redis_url "redis://rialto:$(of bus_password)@${REDIS_HOST:-redis:6379}"
# The password of the mail server, if it has one: yours to fill in.
keep smtp_password ''
