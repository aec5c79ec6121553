import fc from 'fast-check'
import type { LookupFacets, LookupRow } from '#lib/contract/answers/lookups.ts'
import { EVERY_LOOKUP, LOOKUP_FIELDS, type LookupsQuery } from '#lib/contract/lists/lookups.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import type { Chosen } from '#lib/contract/value-list.ts'

export type DumpRecord = Record<'symbol' | 'created_at' | 'source' | 'room_id' | 'id', string>

/** A Sunday; `KNOWN_TO` is 2024-03-03T05:00:00Z. */
export const EDITION = '2024-03-03'
export const KNOWN_TO = 1_709_442_000
const DAY = 86_400

export function readNaively(records: readonly DumpRecord[]): LookupRow[] {
  const admitted = records.flatMap((record): LookupRow[] => {
    const symbol = toSymbolKey(record.symbol.trim())
    const created = /^(0|[1-9]\d*)(\.0+)?$/.test(record.created_at)
      ? Number(record.created_at)
      : null
    if (
      symbol === '' ||
      record.symbol.trim().length > 64 ||
      created === null ||
      created >= KNOWN_TO
    )
      return []
    const id = /^(0|-?[1-9]\d{0,14})(\.0+)?$/.test(record.id) ? Number(record.id) : null
    const name = (text: string) => (text === '' ? null : text)
    const [source, room] = [name(record.source), name(record.room_id)]
    return [{ id, symbol, source, room_id: room, created_at: created }]
  })
  return admitted.filter(
    ({ id }, index) => id === null || admitted.findLastIndex((other) => other.id === id) === index,
  )
}

const passesList = ({ only, not }: Chosen<string>, value: string | null) =>
  (only.length === 0 || (value !== null && only.includes(value))) &&
  (value === null || !not.includes(value))

type OmittedFilter = 'symbol' | 'source' | 'room' | 'created'

export const passes = (row: LookupRow, query: LookupsQuery, without?: OmittedFilter): boolean =>
  (without === 'symbol' || passesList(query.symbol, row.symbol)) &&
  (without === 'source' || passesList(query.source, row.source)) &&
  (without === 'room' || passesList(query.room, row.room_id)) &&
  (without === 'created' ||
    ((query.from === null || row.created_at >= query.from) &&
      (query.to === null || row.created_at < query.to))) &&
  (query.asof === null || row.created_at <= query.asof)

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function compareRooms(a: string, b: string): number {
  const toNumber = (text: string) => (/^-?\d+$/.test(text) ? Number(text) : null)
  const [one, two] = [toNumber(a), toNumber(b)]
  if (one !== null && two !== null) return one - two || compareTexts(a, b)
  if (one !== null || two !== null) return one === null ? 1 : -1
  return compareTexts(a, b)
}

export function sortNaively(rows: readonly LookupRow[], { sort }: LookupsQuery): LookupRow[] {
  const sign = sort.direction === 'asc' ? 1 : -1
  const columns = [...new Set([sort.column, 'created_at', 'id'] as const)]
  return [...rows].sort((a, b) => {
    for (const name of columns) {
      const [one, two] = [a[name], b[name]]
      if (one === two) continue
      if (one === null) return 1
      if (two === null) return -1
      if (typeof one === 'number' || typeof two === 'number')
        return sign * (Number(one) - Number(two))
      return sign * (name === 'room_id' ? compareRooms(one, two) : compareTexts(one, two))
    }
    return 0
  })
}

export function countNaively(
  rows: readonly LookupRow[],
  query: LookupsQuery,
  name: 'symbol' | 'source' | 'room',
): { shown: { value: string; count: number }[]; distinct: number } {
  const counts = new Map<string, number>()
  for (const row of rows.filter((one) => passes(one, query, name))) {
    const value = name === 'room' ? row.room_id : row[name]
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  const lines = [...counts].map(([value, count]) => ({ value, count }))
  lines.sort((a, b) => b.count - a.count || compareTexts(a.value, b.value))
  const chosen = [...new Set([...query[name].only, ...query[name].not])]
  const top = lines.filter(({ value }, place) => place < 20 || chosen.includes(value))
  const missing = chosen.filter((value) => !counts.has(value))
  return {
    shown: [...top, ...missing.map((value) => ({ value, count: 0 }))],
    distinct: lines.length,
  }
}

export const countBins = (
  rows: readonly LookupRow[],
  query: LookupsQuery,
  bins: LookupFacets['created'],
): number[] =>
  bins.map(
    ({ from, to }) =>
      rows.filter(
        (row) => passes(row, query, 'created') && row.created_at >= from && row.created_at < to,
      ).length,
  )

const anInstant = fc.integer({ min: KNOWN_TO - 60 * DAY, max: KNOWN_TO + DAY })

export const someRecords: fc.Arbitrary<DumpRecord[]> = fc.array(
  fc.record({
    symbol: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('AAPL', 'aapl', 'MSFT', 'BRK.B', 'é', '__proto__') },
      { weight: 2, arbitrary: fc.constantFrom('e\u0301', 'É', 'straße', 'STRASSE', ' ǰ ') },
      fc.constantFrom('', ' ', 'X'.repeat(65), ' T '),
    ),
    created_at: fc.oneof(
      { weight: 9, arbitrary: anInstant.map(String) },
      fc.constantFrom(
        '',
        'x',
        '-5',
        '1.5',
        `${KNOWN_TO - 7}.0`,
        '9999999999999',
        '007',
        `${KNOWN_TO}`,
      ),
    ),
    source: fc.constantFrom('slack', 'discord', '', '=SUM(1)'),
    room_id: fc.constantFrom('1', '2', '17', 'C024BE91L', '', '__proto__'),
    id: fc.oneof(fc.nat(30).map(String), fc.constantFrom('', 'x', '007', '1e3', '7.0')),
  }),
  { maxLength: 40 },
)

const someOf = (values: readonly string[]): fc.Arbitrary<Chosen<string>> =>
  fc.record({
    only: fc.oneof(fc.constant<string[]>([]), fc.uniqueArray(fc.constantFrom(...values))),
    not: fc.oneof(fc.constant<string[]>([]), fc.uniqueArray(fc.constantFrom(...values))),
  })

const maybe = fc.option(anInstant)

export const aLookupsQuery: fc.Arbitrary<LookupsQuery> = fc
  .record({
    symbol: someOf(['AAPL', 'MSFT', 'NOBODY', '__PROTO__']),
    source: someOf(['slack', 'discord', 'nowhere']),
    room: someOf(['1', '17', 'C024BE91L', 'none']),
    from: maybe,
    to: maybe,
    asof: maybe,
    sort: fc.record({
      column: fc.constantFrom(...LOOKUP_FIELDS),
      direction: fc.constantFrom('asc' as const, 'desc' as const),
    }),
    page: fc.integer({ min: 1, max: 3 }),
    per_page: fc.constantFrom(3, 50),
  })
  .map((query) => ({ ...EVERY_LOOKUP, ...query }))
