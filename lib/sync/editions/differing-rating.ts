import type { DifferingRating } from '#lib/archive/editions/write-difference.ts'
import type { DifferenceKind } from '#lib/contract/edition-differences.ts'
import { toReadableMask } from '#lib/contract/masked-key.ts'
import { shorten } from './dump-csv.ts'
import { type Cells, cellOf, type Difference } from './merge-editions.ts'

const VOTES: ReadonlySet<string> = new Set(['tally_agree', 'tally_disagree', 'tally_comment'])
const END: ReadonlySet<string> = new Set(['expired_at', 'expired_at_date'])

/** What became of a rating, with its fields as the later edition has them; as the earlier one has them where it vanished. */
export function toDiffering(difference: Difference): DifferingRating {
  const newest = difference.what === 'gone' ? difference.before : difference.after
  return {
    id: show(newest, 'id'),
    kind: toKind(difference),
    symbol: show(newest, 'symbol'),
    user_id: show(newest, 'user_id'),
    rating: show(newest, 'rating'),
    prediction: show(newest, 'prediction'),
    created_at: show(newest, 'created_at'),
    changes: difference.what === 'changed' ? toChanges(difference) : [],
  }
}

const show = (record: Cells, name: string): string => shorten(toReadableMask(cellOf(record, name)))

type Changed = Extract<Difference, { what: 'changed' }>

const toChanges = ({ names, before, after }: Changed): DifferingRating['changes'] =>
  names.map((field) => ({ field, before: show(before, field), after: show(after, field) }))

function toKind(difference: Difference): DifferenceKind {
  if (difference.what === 'gone') return 'vanished'
  if (difference.what === 'added') return difference.wasThere ? 'returned' : 'new'
  const { names, before, after } = difference
  const others = names.filter((name) => !VOTES.has(name))
  if (others.length === 0) return 'votes'
  const isEnd = others.every((name) => END.has(name)) && toEnd(after) < toEnd(before)
  return isEnd ? 'ended_early' : 'edited'
}

const SECONDS = /^[+]?\d{1,15}$/

/** When a rating ends, in seconds; never where it says nothing or 0. */
function toEnd(record: Cells): number {
  const text = cellOf(record, 'expired_at')
  const seconds = SECONDS.test(text) ? Number(text) : 0
  return seconds > 0 ? seconds : Number.POSITIVE_INFINITY
}
