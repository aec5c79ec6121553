import { toMillionths } from '#lib/statistics/exact.ts'
import type { UserTimeline, UserTimelineRow } from '#lib/timeline/user.ts'
import type { Calls } from './call-columns.ts'
import { toCalls, toDay } from './call-columns.ts'
import type { Market } from './market.ts'

/** Sums over them equal those over the user's part of all calls. */
export async function toUserCalls({ userId, rows }: UserTimeline, market: Market): Promise<Calls> {
  const codes = toSymbolCodes(rows, market)
  const codeOf = ({ symbol_key }: UserTimelineRow) => codes.get(symbol_key) ?? 0
  const ordered = [...rows].sort(
    (a, b) => codeOf(a) - codeOf(b) || toDay(a.created_at) - toDay(b.created_at) || a.id - b.id,
  )
  return await toCalls(
    {
      symbols: codes.size,
      codes: Int32Array.from(ordered, codeOf),
      ids: Float64Array.from(ordered, ({ id }) => id),
      users: new Int32Array(ordered.length),
      userIds: Float64Array.of(userId),
      ratings: Int32Array.from(ordered, ({ rating }) => rating),
      created: Float64Array.from(ordered, ({ created_at }) => created_at),
      ...toPlaces(ordered),
    },
    market,
  )
}

/** Market symbols first. */
function toSymbolCodes(rows: readonly UserTimelineRow[], market: Market): Map<string, number> {
  const codes = new Map(market.symbols.map((symbol, code) => [symbol, code]))
  for (const { symbol_key } of rows) {
    if (!codes.has(symbol_key)) codes.set(symbol_key, codes.size)
  }
  return codes
}

function toPlaces(rows: readonly UserTimelineRow[]): Pick<Calls, 'places' | 'high' | 'low'> {
  const predicted = rows.map(({ id, prediction }, row) => ({
    row,
    id,
    millionths: toMillionths(prediction),
  }))
  predicted.sort((a, b) => compare(a.millionths, b.millionths) || a.id - b.id)
  const places = new Int32Array(rows.length)
  for (const [place, { row }] of predicted.entries()) places[row] = place
  return {
    places,
    high: Int32Array.from(predicted, ({ millionths }) => Number(toHigh(millionths))),
    low: Int32Array.from(predicted, ({ millionths }) =>
      Number(millionths - toHigh(millionths) * THOUSAND),
    ),
  }
}

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)

/** A thousand in millionths. */
const THOUSAND = 1_000_000_000n

/** Rounds down, below zero as well. */
const toHigh = (millionths: bigint): bigint =>
  millionths / THOUSAND - (millionths % THOUSAND < 0n ? 1n : 0n)
