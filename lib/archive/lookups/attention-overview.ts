import { LRUCache } from 'lru-cache'
import type { AttentionReads } from '#lib/archive/archive.ts'
import type { Engine } from '#lib/archive/engine/duckdb-engine.ts'
import type { AttentionOverview } from '#lib/contract/answers/attention.ts'
import { selectRatios, toBeforeChanges } from './before-changes.ts'
import {
  isBusy,
  knowsUsual,
  type SymbolAttention,
  selectSymbolAttention,
  toAttentionLists,
} from './symbol-attention.ts'

type Source = {
  engine: Engine
  /** From when on, and to before when, look-ups are known (seconds since 1970); null where none were imported. */
  lookups: () => { firstCreatedAt: number | null; knownTo: number | null }
  /** Another text for other ratings or look-ups. */
  version: () => string
}

type Known = { from: number; end: number }

/** So many instants are kept: what came before changes takes a look at every change. */
const KEPT = 4

/** What look-ups say of symbols beside their ratings, as of any instant. */
export function createAttention({ engine, lookups, version }: Source): AttentionReads {
  const kept = new LRUCache<string, Promise<Before>>({ max: KEPT })
  const toKnown = (at: number): Known | null => {
    const { firstCreatedAt: from, knownTo } = lookups()
    if (from === null || knownTo === null) return null
    const end = Math.min(knownTo, at + 1)
    return from < end ? { from, end } : null
  }
  const loadBefore = (known: Known): Promise<Before> => {
    const key = `${version()} ${known.end}`
    const held = kept.get(key)
    if (held) return held
    const loading = engine.read(async (db) => toBefore(await selectRatios(db, known)))
    kept.set(key, loading)
    // What failed is not kept.
    loading.catch(() => kept.delete(key))
    return loading
  }
  return {
    async selectOverview({ at, signal }) {
      const known = toKnown(at)
      if (!known) return NOTHING
      const symbols = await engine.read(
        (db) => selectSymbolAttention(db, { end: known.end, at }),
        signal,
      )
      return {
        ...{ known_from: known.from, known_to: Math.min(known.end, at) },
        ...toAttentionLists(symbols, { knownFrom: known.from, end: known.end }),
        ...(await loadBefore(known)),
      }
    },
    async selectSymbols({ at, signal }) {
      const known = toKnown(at)
      if (!known) return null
      const { end, from } = known
      const symbols = await engine.read((db) => selectSymbolAttention(db, { end, at }), signal)
      const all = symbols.reduce((sum, { month }) => sum + month, 0)
      const isUsual = knowsUsual(from, end)
      return new Map(symbols.map((one) => [one.key, toFigures(one, { all, isUsual })]))
    },
  }
}

type Before = Pick<AttentionOverview, 'before_upgrades' | 'before_downgrades'>

const toBefore = (ratios: Parameters<typeof toBeforeChanges>[0]): Before => ({
  before_upgrades: toBeforeChanges(ratios, 'up'),
  before_downgrades: toBeforeChanges(ratios, 'down'),
})

const NOTHING: AttentionOverview = {
  ...{ known_from: null, known_to: null, lookups_7d: 0, lookups_30d: 0 },
  ...{ busy: [], hardly_rated: [], hardly_looked_up: [] },
  ...toBefore([]),
}

const toFigures = (one: SymbolAttention, { all, isUsual }: { all: number; isUsual: boolean }) => ({
  lookups_7d: one.week,
  lookups_30d: one.month,
  lookups_share: all === 0 ? null : (one.month / all).toFixed(6),
  is_busy: isUsual ? isBusy(one) : null,
})
