import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  BIGINT,
  type DuckDBAppender,
  DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  SMALLINT,
  VARCHAR,
} from '@duckdb/node-api'
import type { IncomingRating } from '#lib/contract/incoming-rating.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toCanonicalJson } from './canonical-json.ts'

type Column<R> = { type: DuckDBType; read: (row: R) => DuckDBValue }

const integer = (value: number | null) => (value === null ? null : BigInt(value))

/** The columns of `incoming` in their order, without `seq`, which counts along. */
const RATING_COLUMNS: Column<IncomingRating>[] = [
  { type: BIGINT, read: (row) => integer(row.rating.id) },
  { type: BIGINT, read: (row) => integer(row.rating.user_id) },
  { type: VARCHAR, read: (row) => row.rating.symbol },
  { type: SMALLINT, read: (row) => row.rating.rating },
  { type: VARCHAR, read: (row) => row.rating.rating_label },
  { type: SMALLINT, read: (row) => row.rating.action },
  { type: VARCHAR, read: (row) => row.rating.action_label },
  { type: VARCHAR, read: (row) => row.rating.prediction },
  { type: INTEGER, read: (row) => row.rating.tally_agree },
  { type: INTEGER, read: (row) => row.rating.tally_disagree },
  { type: INTEGER, read: (row) => row.rating.tally_comment },
  { type: BIGINT, read: (row) => integer(row.rating.created_at) },
  { type: VARCHAR, read: (row) => row.rating.created_at_date },
  { type: BIGINT, read: (row) => integer(row.rating.expired_at) },
  { type: VARCHAR, read: (row) => row.rating.expired_at_date },
]

const TAIL_COLUMNS: Column<IncomingRating>[] = [
  { type: VARCHAR, read: (row) => toSymbolKey(row.rating.symbol) },
  { type: VARCHAR, read: (row) => (row.extra === null ? null : toCanonicalJson(row.extra)) },
]

/** A rejected row with the id that can be read from it; `raw` null where it is only counted. */
export type StagedRejection = { reason: string; raw: string | null; id: number | null }

const REJECTED_COLUMNS: Column<StagedRejection>[] = [
  { type: VARCHAR, read: (row) => row.reason },
  { type: VARCHAR, read: (row) => row.raw },
  { type: BIGINT, read: (row) => integer(row.id) },
]

/** Appends to `incoming`; the rows are numbered from `firstSeq` on. */
export async function appendRatings(
  appender: DuckDBAppender,
  rows: readonly IncomingRating[],
  firstSeq: number,
): Promise<void> {
  let seq = BigInt(firstSeq)
  const numbered: Column<IncomingRating> = {
    type: BIGINT,
    read: () => {
      seq += 1n
      return seq
    },
  }
  await appendColumns(appender, [...RATING_COLUMNS, numbered, ...TAIL_COLUMNS], rows)
}

/** Appends to `incoming_rejected`. */
export async function appendRejected(
  appender: DuckDBAppender,
  rows: readonly StagedRejection[],
): Promise<void> {
  await appendColumns(appender, REJECTED_COLUMNS, rows)
}

/** A chunk of the engine holds at most 2,048 rows; other work gets its turn between two. */
const CHUNK_ROWS = 2048

async function appendColumns<R>(
  appender: DuckDBAppender,
  columns: readonly Column<R>[],
  rows: readonly R[],
): Promise<void> {
  const types = columns.map((column) => column.type)
  for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
    if (start > 0) await nextTurn()
    const part = rows.slice(start, start + CHUNK_ROWS)
    const chunk = DuckDBDataChunk.create(types, part.length)
    columns.forEach((column, index) => {
      chunk.setColumnValues(index, part.map(column.read))
    })
    appender.appendDataChunk(chunk)
  }
  appender.flushSync()
}
