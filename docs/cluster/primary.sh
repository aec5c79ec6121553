#!/bin/sh
# Runs once, in the empty data folder of the first PostgreSQL: the role of the nodes, their database, and the role that
# the second server copies with.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\set password `cat /run/secrets/bellwether_password`
\set replication `cat /run/secrets/replication_password`
create role bellwether login password :'password';
create role standby login replication password :'replication';
create database bellwether template template0 encoding 'UTF8';
revoke all on database bellwether from public;
grant connect, create, temporary on database bellwether to bellwether;
SQL
echo 'host replication standby samenet scram-sha-256' >> "$PGDATA/pg_hba.conf"
