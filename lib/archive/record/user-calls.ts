import type { UserTimeline, UserTimelineRow } from '#lib/timeline/user.ts'
import { type Calls, toCalls, toDay } from './call-columns.ts'
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
