import type { ChartFacts } from '#components/chart-files/chart-facts.ts'
import { formatDay } from '#components/format/instant.ts'
import type { Extent } from '#components/symbols/ranges.ts'
import type { Meta } from '#lib/contract/answers/shared.ts'
import { toEndWord } from './call-texts.ts'
import type { CallRow } from './calls-layout.ts'

type Displayed = { userId: number; rows: readonly CallRow[]; extent: Extent; meta: Meta }

export const CALLS_RULE =
  'A call counts from when it was posted to the earlier of its expiry and the member’s next rating on the symbol.'

/** What the drawing of calls says of itself when it is saved; its rows are those of its table. */
export function toCallsFacts({ userId, rows, extent, meta }: Displayed): ChartFacts {
  const days = [formatDay(extent.from), formatDay(extent.to)]
  return {
    title: `User ${userId}: calls over time`,
    range: days.join(' to '),
    zone: 'UTC',
    rule: CALLS_RULE,
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
