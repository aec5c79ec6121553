import type { DifferenceKind } from '#lib/contract/lists/edition-differences.ts'

export type Table = { header: readonly string[]; rows: readonly (readonly string[])[] }

export type NaiveRating = {
  id: string
  kind: DifferenceKind
  symbol: string
  changes: { field: string; before: string; after: string }[]
}

type ImportedEditions = { earlier: readonly Table[]; marked: readonly string[]; fetchedAt: number }

const VOTES = ['tally_agree', 'tally_disagree', 'tally_comment']

/** `marked`: ids of vanished ratings, which exclude ratings posted after `fetchedAt`. */
export function compareNaively(
  before: Table,
  after: Table,
  { earlier, marked, fetchedAt }: ImportedEditions,
): NaiveRating[] {
  const shared = before.header.filter((name) => after.header.includes(name))
  const [old, young] = [byId(before), byId(after)]
  const ids = new Set([...old.keys(), ...young.keys()])
  return [...ids].flatMap((key): NaiveRating[] => {
    const [one, other] = [old.get(key), young.get(key)]
    const newest = other ?? one ?? {}
    const rating = { id: newest.id ?? '', symbol: newest.symbol ?? '' }
    if (!other) return [{ ...rating, kind: 'vanished', changes: [] }]
    if (!one) {
      const posted = other.created_at ?? ''
      const isOld = /^[+-]?\d+$/.test(posted) && Number(posted) <= fetchedAt
      const isMarked = isOld && marked.includes(key)
      const wasThere = isMarked || earlier.some((table) => byId(table).has(key))
      return [{ ...rating, kind: wasThere ? 'returned' : 'new', changes: [] }]
    }
    const changes = shared
      .map((field) => ({ field, before: one[field] ?? '', after: other[field] ?? '' }))
      .filter(({ before: was, after: is }) => was !== is)
    return changes.length === 0 ? [] : [{ ...rating, kind: toKind(one, other, changes), changes }]
  })
}

type Row = Readonly<Record<string, string>>

/** The last row of an id counts. */
function byId({ header, rows }: Table): Map<string, Row> {
  return new Map(
    rows.map((cells) => {
      const row = Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']))
      return [(row.id ?? '').replace(/^[+]?0*(\d+)$/, '$1'), row]
    }),
  )
}

function toKind(one: Row, other: Row, changes: NaiveRating['changes']): DifferenceKind {
  const others = changes.map(({ field }) => field).filter((field) => !VOTES.includes(field))
  if (others.length === 0) return 'votes'
  const isOnlyEnd = others.every((field) => field.startsWith('expired_at'))
  const [was, is] = [toEnd(one.expired_at), toEnd(other.expired_at)]
  const isEarlier = is !== null && (was === null || is < was)
  return isOnlyEnd && isEarlier ? 'ended_early' : 'edited'
}

const toEnd = (text = ''): number | null =>
  /^[+]?\d{1,15}$/.test(text) && Number(text) > 0 ? Number(text) : null
