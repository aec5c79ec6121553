import {
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  TINYINT,
  UINTEGER,
  VARCHAR,
} from '@duckdb/node-api'
import { ACTION_LABELS, RATING_LABELS } from '#lib/contract/rating-codes.ts'
import { CHUNK_ROWS } from '../database.ts'
import type { DemoRating } from './demo-rating.ts'

type Column = { type: DuckDBType; sql: string }

const whole = { type: INTEGER, sql: 'INTEGER NOT NULL' }
const small = { type: TINYINT, sql: 'TINYINT NOT NULL' }
const instant = { type: UINTEGER, sql: 'UINTEGER NOT NULL' }

const COLUMNS: Record<keyof DemoRating, Column> = {
  id: whole,
  user_id: whole,
  symbol: { type: VARCHAR, sql: 'VARCHAR NOT NULL' },
  rating: small,
  action: small,
  prediction_cents: whole,
  created_at: instant,
  gap: instant,
  expires_at: instant,
  ended_at: instant,
  agree: whole,
  disagree: whole,
  comments: whole,
  settle_seconds: instant,
}

const FIELDS = [
  'id',
  'user_id',
  'symbol',
  'rating',
  'action',
  'prediction_cents',
  'created_at',
  'gap',
  'expires_at',
  'ended_at',
  'agree',
  'disagree',
  'comments',
  'settle_seconds',
] as const satisfies readonly (keyof DemoRating)[]

export const DEMO_TABLE = 'demo_ratings'
export const DEMO_TYPES: readonly DuckDBType[] = FIELDS.map((field) => COLUMNS[field].type)

/** Rows stand in the order of their ids, so a range of ids is a run of rows that zone maps find. */
export const CREATE_DEMO_TABLE = `CREATE TABLE ${DEMO_TABLE} (${FIELDS.map(
  (field) => `${field} ${COLUMNS[field].sql}`,
).join(', ')})`

/** Gathers ratings into columns, the form in which the engine takes them. */
export type DemoChunk = { add(rating: DemoRating): void; full(): boolean; take(): DuckDBValue[][] }

export function createDemoChunk(): DemoChunk {
  let columns: DuckDBValue[][] = FIELDS.map(() => [])
  return {
    add(rating) {
      for (let index = 0; index < FIELDS.length; index += 1) {
        const field = FIELDS[index]
        if (field) columns[index]?.push(rating[field])
      }
    },
    full: () => (columns[0]?.length ?? 0) >= CHUNK_ROWS,
    take() {
      const taken = columns
      columns = FIELDS.map(() => [])
      return taken
    },
  }
}

const labels = (column: string, texts: Readonly<Record<number, string>>) =>
  `CASE ${column} ${Object.entries(texts)
    .map(([code, text]) => `WHEN ${code} THEN '${text}'`)
    .join(' ')} END`

const dateText = (seconds: string) =>
  `CAST(make_timestamp(CAST(${seconds} AS BIGINT) * 1000000) AS VARCHAR)`

/** Votes come fast at first and end when voting is over: at that instant all are there. */
const tally = (votes: string) =>
  `CAST((${votes} * age * (2 * settle - age)) // (settle * settle) AS INTEGER)`

/**
 * The 15 fields and `position` as they stand at an instant, as a query without WHERE on it. Pages ask for now, a dump
 * for its Sunday; both get their votes and early ends from here.
 */
export const demoRatingsAt = (at: number): string => `
  SELECT position, id, user_id, symbol,
    rating, ${labels('rating', RATING_LABELS)} AS rating_label,
    action, ${labels('action', ACTION_LABELS)} AS action_label,
    CAST(CAST(prediction_cents AS DECIMAL(12, 0)) * CAST(0.01 AS DECIMAL(3, 2)) AS VARCHAR) AS prediction,
    ${tally('agree')} AS tally_agree, ${tally('disagree')} AS tally_disagree,
    ${tally('comments')} AS tally_comment,
    created_at, ${dateText('created_at')} AS created_at_date,
    expired_at, ${dateText('expired_at')} AS expired_at_date
  FROM (
    SELECT *, id AS position, CAST(settle_seconds AS BIGINT) AS settle,
      least(greatest(${at}::BIGINT - created_at, 0), settle_seconds) AS age,
      CASE WHEN ended_at <= ${at} THEN ended_at ELSE expires_at END AS expired_at
    FROM ${DEMO_TABLE}
  )`
