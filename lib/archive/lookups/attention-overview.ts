import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import type { AttentionOverview } from '#lib/contract/answers/attention.ts'
import type { LeagueAttention } from '#lib/contract/answers/symbols.ts'
import { selectRatios, toBeforeChanges } from './before-changes.ts'
import {
  isBusy,
  knowsUsual,
  type SymbolAttention,
  selectSymbolAttention,
  toAttentionLists,
} from './symbol-attention.ts'

/** Excludes `end`; seconds since 1970. */
type LookupsCoverage = { from: number; end: number }

function toKnown(reader: ArchiveReader, at: number): LookupsCoverage | null {
  const { firstCreatedAt: from, knownTo } = reader.lookups()
  if (from === null || knownTo === null) return null
  const end = Math.min(knownTo, at + 1)
  return from < end ? { from, end } : null
}

/** Cached: scans every rating change. */
const loadBefore = async (
  reader: ArchiveReader,
  coverage: LookupsCoverage,
): Promise<BeforeCounts> =>
  await reader.keptValues.load('beforeChanges', `${reader.version()} ${coverage.end}`, () =>
    reader.read(async (db) => toBefore(await selectRatios(db, coverage))),
  )

export async function selectAttentionOverview(
  reader: ArchiveReader,
  { at, signal }: ReadOptions,
): Promise<AttentionOverview> {
  const known = toKnown(reader, at)
  if (!known) return NOTHING
  const symbols = await reader.read(
    (db) => selectSymbolAttention(db, { end: known.end, at }),
    signal,
  )
  return {
    known_from: known.from,
    known_to: Math.min(known.end, at),
    ...toAttentionLists(symbols, { knownFrom: known.from, end: known.end }),
    ...(await loadBefore(reader, known)),
  }
}

export async function selectLeagueAttention(
  reader: ArchiveReader,
  { at, signal }: ReadOptions,
): Promise<ReadonlyMap<string, LeagueAttention> | null> {
  const known = toKnown(reader, at)
  if (!known) return null
  const { end, from } = known
  const symbols = await reader.read((db) => selectSymbolAttention(db, { end, at }), signal)
  const all = symbols.reduce((sum, { month }) => sum + month, 0)
  const isUsual = knowsUsual(from, end)
  return new Map(symbols.map((one) => [one.key, toFigures(one, { all, isUsual })]))
}

type BeforeCounts = Pick<AttentionOverview, 'before_upgrades' | 'before_downgrades'>

const toBefore = (ratios: Parameters<typeof toBeforeChanges>[0]): BeforeCounts => ({
  before_upgrades: toBeforeChanges(ratios, 'up'),
  before_downgrades: toBeforeChanges(ratios, 'down'),
})

const NOTHING: AttentionOverview = {
  known_from: null,
  known_to: null,
  lookups_7d: 0,
  lookups_30d: 0,
  busy: [],
  hardly_rated: [],
  hardly_looked_up: [],
  ...toBefore([]),
}

const toFigures = (one: SymbolAttention, { all, isUsual }: { all: number; isUsual: boolean }) => ({
  lookups_7d: one.week,
  lookups_30d: one.month,
  lookups_share: all === 0 ? null : (one.month / all).toFixed(6),
  is_busy: isUsual ? isBusy(one) : null,
})
