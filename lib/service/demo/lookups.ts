import { quoteText } from '../database.ts'
import { DEMO_TABLE } from './demo-table.ts'
import { tickers } from './tickers.ts'

const SLACK_ROOMS = 40
const ROOMS = 64

/** A number in [0, 1) from an id, different for each `stream`, by two rounds of multiplication and folding. */
const unit = (seed: number, stream: number): string => {
  const first = `((CAST(id AS UBIGINT) * 2654435761 + ${(seed >>> 0) + stream * 7919}) % 4294967296)`
  return `(((xor(${first}, ${first} >> 15) * 2246822519) % 4294967296) / 4294967296.0)`
}

/**
 * The demo community's look-ups before `at` (seconds), two for each rating, as a query in their order. They are worked
 * out from the ratings: between a rating and the one before it, somebody looked up its symbol and somebody any other.
 */
export const demoLookupsBefore = (at: number, seed: number): string => `
  WITH drawn AS (
    SELECT id, symbol, created_at, gap, unnest([1, 2]) AS nth,
      ${unit(seed, 1)} AS u1, ${unit(seed, 2)} AS u2, ${unit(seed, 3)} AS u3,
      1 + CAST(floor(pow(${unit(seed, 4)}, 3) * ${tickers.length}) AS INTEGER) AS other
    FROM ${DEMO_TABLE} WHERE created_at - gap < ${at}
  ), placed AS (
    SELECT 2 * CAST(id AS BIGINT) - 2 + nth AS id, symbol, other, nth,
      1 + CAST(floor((CASE nth WHEN 1 THEN u3 ELSE u1 END) * ${ROOMS}) AS INTEGER) AS room_id,
      CAST(created_at - gap + floor(
        gap * (CASE nth WHEN 1 THEN least(u1, u2) ELSE greatest(u1, u2) END)) AS BIGINT) AS created_at
    FROM drawn
  )
  SELECT id,
    CASE WHEN nth = 1 OR [${tickers.map(({ listedAt }) => listedAt).join(',')}][other] > created_at
      THEN symbol ELSE [${tickers.map(({ symbol }) => quoteText(symbol)).join(',')}][other] END AS symbol,
    CASE WHEN room_id <= ${SLACK_ROOMS} THEN 'slack' ELSE 'discord' END AS source,
    room_id, created_at, CAST(make_timestamp(created_at * 1000000) AS VARCHAR) AS created_at_date
  FROM placed WHERE created_at < ${at}`
