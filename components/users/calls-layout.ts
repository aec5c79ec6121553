import { type Extent, toRangeStart } from '#components/symbols/ranges.ts'
import { CALLS_MAX, type Call, type Calls } from '#lib/contract/answers/user-record.ts'
import type { UserView } from './user-view.ts'

/** How a call ends: by the next one, by time or the service, not by the end of the axis, or before it began. */
export type CallEnd = 'renewed' | 'expired' | 'vanished' | 'active' | 'never'

/** A call where it is drawn: `start` and `end` in parts of the axis, 0 to 1, whether it had begun before the axis does. */
export type PlacedCall = {
  call: Call
  symbol: string
  row: number
  start: number
  end: number
  isCut: boolean
  how: CallEnd
  /** There is room for its glyphs. */
  isMarked: boolean
}

export type CallRow = { symbol: string; calls: readonly PlacedCall[] }

const MONTHS = { '1y': 12, '3y': 36, all: null } as const

/** How many calls are listed. */
export const countListed = ({ symbols }: Calls): number =>
  symbols.reduce((sum, row) => sum + row.calls.length, 0)

/** Are there earlier calls on these symbols that are not listed? Nothing is known of the time before the first one then. */
export function isCutShort(calls: Calls): boolean {
  const listed = countListed(calls)
  return listed >= CALLS_MAX && calls.calls_total > listed
}

/** What the axis spans, in seconds since 1970: back from the instant `at`, or to the first call that is listed. */
export function toCallsExtent(calls: Calls, range: UserView['range'], at: number): Extent {
  const first = Math.min(...calls.symbols.flatMap((row) => row.calls.map((one) => one.created_at)))
  const start = toRangeStart({ months: MONTHS[range] }, at) ?? first
  // Where earlier calls are not listed, a gap would be none. One instant is no axis.
  return { from: Math.min(isCutShort(calls) ? Math.max(start, first) : start, at - 1), to: at }
}

/** What glyphs of a call take up at its beginning. */
const MARK_PX = 27

/** The symbols with calls on the axis, each with those calls; `widthPx` is the axis. */
export function placeCalls(calls: Calls, { from, to }: Extent, widthPx: number): CallRow[] {
  const rows: CallRow[] = []
  const toPart = (at: number) => Math.min(1, Math.max(0, (at - from) / (to - from)))
  for (const { symbol, calls: listed } of calls.symbols) {
    let free = 0
    const placed: PlacedCall[] = []
    for (const call of listed) {
      const until = Math.max(call.until ?? Number.POSITIVE_INFINITY, call.created_at)
      if (until < from || call.created_at > to) continue
      const start = toPart(call.created_at)
      const isMarked = start * widthPx >= free && start * widthPx <= widthPx - MARK_PX / 2
      if (isMarked) free = start * widthPx + MARK_PX
      const how = toEnd(call)
      const isCut = call.created_at < from
      placed.push({
        call,
        symbol,
        row: rows.length,
        start,
        end: toPart(until),
        isCut,
        how,
        isMarked,
      })
    }
    if (placed.length > 0) rows.push({ symbol, calls: placed })
  }
  return rows
}

function toEnd({ ended, until, created_at }: Call): CallEnd {
  if (ended === null) return 'active'
  return ended === 'expired' && until !== null && until <= created_at ? 'never' : ended
}

const REACH_PX = 8

/** The call at a place of the drawing: the one that covers it, or else the nearest within reach. */
export function selectCallAt(
  row: CallRow | undefined,
  xPx: number,
  widthPx: number,
): PlacedCall | null {
  const at = (part: number) => part * widthPx
  const distanceOf = ({ start, end }: PlacedCall) =>
    Math.max(0, at(start) - xPx, xPx - Math.max(at(end), at(start)))
  let nearest: PlacedCall | null = null
  for (const placed of row?.calls ?? []) {
    // Of two that cover it, as where one takes over from the other, the later one.
    if (nearest === null || distanceOf(placed) <= distanceOf(nearest)) nearest = placed
  }
  return nearest !== null && distanceOf(nearest) <= REACH_PX ? nearest : null
}
