import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { selectRatings } from '#lib/archive/ratings/ratings.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { importRows, makeRating, START } from '#testing/archive/arbitrary.ts'
import { openArchive } from './open-archive.ts'

/** As release 0.1 wrote an archive with schema version 2. Never edit. */
const EARLIER_FILE = `
  create table rating (
    id bigint not null, user_id bigint not null, symbol text not null,
    rating smallint not null, rating_label text not null,
    action smallint not null, action_label text not null, prediction text not null,
    tally_agree integer not null, tally_disagree integer not null, tally_comment integer not null,
    created_at bigint not null, created_at_date text not null,
    expired_at bigint, expired_at_date text,
    symbol_key text not null, extra text, prediction_value decimal(18, 6) not null,
    effective_until bigint not null, previous_rating smallint, previous_prediction text,
    previous_created_at bigint, quality smallint, vanished_at bigint);
  create table symbol (symbol_key text not null, symbol text not null, search_key text);
  create table quarantine (
    source_kind text not null, source_name text not null, reason text not null, raw text not null,
    quarantined_at bigint not null, rating_id bigint);
  create table journal (
    schema_version integer not null, generation bigint not null, complete_to bigint,
    last_source text, last_state text, last_at bigint, last_inserted bigint not null,
    last_updated bigint not null, last_unchanged bigint not null,
    covered_to_id bigint, covered_at bigint, quarantine_dropped bigint default 0);
  insert into rating values
    (1, 7, 'AAPL', 4, 'Moderate Buy', 1, 'Initiated', '12.50', 3, 1, 0,
      1704067200, '2024-01-01 00:00:00', null, null,
      'AAPL', '{"source":"web"}', 12.5, 1704153600, null, null, null, 0, null),
    (2, 7, 'AAPL', 2, 'Moderate Sell', 3, 'Downgraded', '-4.00', 0, 2, 1,
      1704153600, '2024-01-02 00:00:00', null, null,
      'AAPL', null, -4, 253402300800, 4, '12.50', 1704067200, 0, null);
  insert into symbol values ('AAPL', 'AAPL', 'aapl');
  insert into quarantine values ('page', '1', 'no id', '{}', 1704153600, null);
  insert into journal values (2, 5, 1704153600, 'page', 'committed', 1704153600, 2, 0, 0, 2, 1704153600, 0);
`

test('opens, reads and continues an archive of release 0.1', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'earlier-'))
  onTestFinished(async () => await rm(folder, { recursive: true }))
  const path = join(folder, 'archive.duckdb')
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  await connection.run(EARLIER_FILE)
  connection.closeSync()
  instance.closeSync()

  const archive = await openArchive({ path, now: () => START })
  onTestFinished(async () => await archive.close())
  expect(archive.state()).toMatchObject({ ratings: 2, generation: 5, quarantined: 1 })
  await importRows(archive, [
    makeRating({ id: 3, user_id: 7, symbol: 'aapl', created_at: 1_704_240_000 }),
  ])
  expect(archive.state()).toMatchObject({ ratings: 3, generation: 6 })
  const { rows } = await selectRatings(archive.reader, EVERY_RATING, { at: START })
  expect(rows.map(({ id, previous_rating }) => [id, previous_rating])).toEqual([
    [3, 2],
    [2, 4],
    [1, null],
  ])
})
