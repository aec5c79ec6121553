#!/bin/sh
# The first time, a whole copy of the server in FOLLOWS; from then on a server that follows it and may be read.
set -eu
umask 077
export PGPASSFILE=/tmp/pgpass
printf '%s:*:*:standby:%s\n' "$FOLLOWS" "$(cat /run/secrets/replication_password)" > "$PGPASSFILE"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  until pg_basebackup --host "$FOLLOWS" --username standby --no-password --pgdata "$PGDATA" \
    --wal-method stream --checkpoint fast --write-recovery-conf; do
    sleep 2
  done
fi
exec postgres -c wal_keep_size=1GB
