import type { ChartFacts } from '#components/chart-files/chart-facts.ts'
import { ENGLISH_FORMATS, type Formats } from '#components/format/formats.ts'
import { formatDay } from '#components/format/instant.ts'
import type { Extent } from '#components/symbols/ranges.ts'
import type { Meta } from '#lib/contract/answers/envelope.ts'
import type { Calls } from '#lib/contract/answers/user-record.ts'
import { toEndWord } from './call-texts.ts'
import { type CallRow, countListed, isCutShort } from './calls-layout.ts'

type Displayed = {
  userId: number
  /** As they were answered; of them the rows that are displayed. */
  calls: Calls
  rows: readonly CallRow[]
  extent: Extent
  meta: Meta
}

export const CALLS_RULE =
  'A call counts from when it was posted to the earliest of its expiry, the member’s next rating on the symbol, and the dump that no longer listed it. Where nothing is drawn, the member had no rating in force.'

/** How much of it is displayed, in words. */
const toShownText = (rows: readonly CallRow[], calls: Calls) =>
  `Displayed are ${rows.length} of ${calls.symbols_total} symbols; ${calls.calls_total} calls in all.`

/** What is left out, in words; nothing where all calls are listed. */
export function toLimitText(
  calls: Calls,
  { formatCount, formatCounted }: Formats = ENGLISH_FORMATS,
) {
  const listed = countListed(calls)
  if (listed >= calls.calls_total) return ''
  const symbols = `on the ${formatCounted(calls.symbols.length, 'symbol')} rated last`
  return isCutShort(calls)
    ? `Listed are the latest ${formatCount(listed)}, ${symbols}; the time axis begins with the first of them, without what was in force already.`
    : `Listed are the ${formatCount(listed)} ${symbols}.`
}

/** What the drawing of calls says of itself when it is saved; its rows are those of its table. */
export function toCallsFacts({ userId, calls, rows, extent, meta }: Displayed): ChartFacts {
  const days = [formatDay(extent.from), formatDay(extent.to)]
  return {
    title: `User ${userId}: calls over time`,
    range: days.join(' to '),
    zone: 'UTC',
    rule: [CALLS_RULE, toShownText(rows, calls), toLimitText(calls)].join(' ').trim(),
    asOf: meta.as_of,
    completeTo: meta.complete_to,
    nameParts: [`user-${userId}`, 'calls', ...days],
    columns: [
      { name: 'id', kind: 'number' },
      { name: 'symbol', kind: 'text' },
      { name: 'action', kind: 'text' },
      { name: 'rating', kind: 'number' },
      { name: 'rating_label', kind: 'text' },
      { name: 'prediction', kind: 'number' },
      { name: 'created_at', kind: 'instant' },
      { name: 'until', kind: 'instant' },
      { name: 'ended', kind: 'text' },
    ],
    rows: rows.flatMap((row) =>
      row.calls.map(({ call, symbol }) => [
        call.id,
        symbol,
        call.action_label,
        call.rating,
        call.rating_label,
        call.prediction,
        call.created_at,
        call.until,
        toEndWord(call),
      ]),
    ),
  }
}
