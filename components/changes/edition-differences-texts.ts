import { formatCount, formatCounted } from '#components/format/numbers.ts'
import type { DifferencesPage, FieldChange } from '#lib/contract/answers/edition-differences.ts'
import type { DifferenceKind, KindCounts } from '#lib/contract/lists/edition-differences.ts'
import { ratingLabel } from '#lib/contract/rating-fields.ts'

type ComparedEditions = NonNullable<DifferencesPage['meta']['between']>

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August'],
  ...['September', 'October', 'November', 'December'],
] as const

function toDay(edition: string, part: 'day' | 'month' | 'year'): string {
  const [year, month, day] = edition.split('-').map(Number)
  const words = [String(day), MONTHS[(month ?? 1) - 1], String(year)]
  return words.slice(0, { day: 1, month: 2, year: 3 }[part]).join(' ')
}

/** `From 8 to 15 November 2026` */
export function toSpan({ from, to }: { from: string; to: string }): string {
  const common =
    from.slice(0, 7) === to.slice(0, 7) ? 'day' : isSameYear(from, to) ? 'month' : 'year'
  return `From ${toDay(from, common)} to ${toDay(to, 'year')}`
}

const isSameYear = (a: string, b: string) => a.slice(0, 4) === b.slice(0, 4)

const verb = (count: number, one: string, many: string) => (count === 1 ? one : many)

const SAID: Readonly<Record<DifferenceKind, (many: string, count: number) => string>> = {
  new: (many, count) => `${many} ${verb(count, 'was', 'were')} added`,
  edited: (many, count) => `${many} ${verb(count, 'was', 'were')} edited`,
  ended_early: (many) => `${many} ended early`,
  vanished: (many, count) => `${many} ${verb(count, 'is', 'are')} no longer listed`,
  returned: (many, count) => `${many} ${verb(count, 'is', 'are')} listed again`,
  votes: (many) => `${many} changed only in votes`,
}

const SAID_FIRST = ['new', 'edited', 'ended_early', 'vanished', 'returned', 'votes'] as const

export function toSentence(editions: ComparedEditions, kinds: KindCounts): string {
  const span = toSpan({ from: editions.from.edition, to: editions.to.edition })
  const said = SAID_FIRST.filter((kind) => kinds[kind] > 0).map((kind, index) => {
    const count = kinds[kind]
    return SAID[kind](index === 0 ? formatCounted(count, 'rating') : formatCount(count), count)
  })
  const last = said.pop()
  if (last === undefined) return `${span}, nothing changed.`
  return `${span}, ${said.length === 0 ? last : `${said.join(', ')} and ${last}`}.`
}

/** Redundant text columns: shown only if their counterpart did not change. */
const TWINS: Readonly<Record<string, string>> = {
  created_at_date: 'created_at',
  expired_at_date: 'expired_at',
  rating_label: 'rating',
  action_label: 'action',
}

export const selectShown = (changes: readonly FieldChange[]): FieldChange[] =>
  changes.filter(({ field, after }) => {
    const twin = changes.find((other) => other.field === TWINS[field])
    if (!twin) return true
    return field === 'rating_label' && ratingLabel(Number(twin.after)) !== after
  })
