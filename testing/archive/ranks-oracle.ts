import { coinOf, studentOf, wilsonOf } from './chance-oracle.ts'
import { clustersOf, type OracleCall, tallyOf } from './record-oracle.ts'

export type OracleRank = { userId: number; clusters: number; hits: number; low: number }

/** At least five clusters, best first. */
export function ranksOf(calls: readonly OracleCall[]): OracleRank[] {
  const users = [...new Set(calls.map(({ row }) => row.user_id))]
  return users
    .map((userId) => {
      const { clusters, hits } = tallyOf(calls.filter(({ row }) => row.user_id === userId))
      return { userId, clusters, hits, low: wilsonOf(hits, clusters)?.low ?? 0 }
    })
    .filter(({ clusters }) => clusters >= 5)
    .sort((a, b) =>
      Math.abs(a.low - b.low) > 1e-9
        ? b.low - a.low
        : b.clusters - a.clusters || a.userId - b.userId,
    )
}

export function lucksOf(ranks: readonly OracleRank[]) {
  const beats = (hits: number, clusters: number) => (wilsonOf(hits, clusters)?.low ?? 0) > 0.5
  const chances = ranks.map(({ clusters }) => {
    const hits = Array.from({ length: clusters + 2 }, (_, index) => index)
    return coinOf(hits.find((least) => beats(least, clusters)) ?? clusters + 1, clusters)
  })
  return {
    ranked: ranks.length,
    beat: ranks.filter(({ hits, clusters }) => beats(hits, clusters)).length,
    worse: ranks.filter(({ hits, clusters }) => beats(clusters - hits, clusters)).length,
    expected: chances.reduce((sum, chance) => sum + chance, 0),
  }
}

const meanOf = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length

export function calibrationOf(calls: readonly OracleCall[]) {
  const scored = calls
    .filter(({ outcome }) => outcome === 'scored')
    .map(({ row, gain }) => ({
      id: row.id,
      prediction: Number(row.prediction) / 100,
      gain: gain ?? 0,
    }))
  const said = scored
    .filter(({ prediction }) => prediction !== 0)
    .sort((a, b) => a.prediction - b.prediction || a.id - b.id)
  const groups = []
  for (let place = 0, from = 0; place < 10 && from < said.length; place += 1) {
    const size = Math.floor(said.length / 10) + (place < said.length % 10 ? 1 : 0)
    const own = said.slice(from, from + size)
    from += size
    const gains = own.map(({ gain }) => gain)
    groups.push({
      calls: size,
      gain: meanOf(gains),
      spread: studentOf(gains, 2),
      prediction: meanOf(own.map(({ prediction }) => prediction)),
    })
  }
  return {
    calls: said.length,
    zero: scored.length - said.length,
    groups,
    slope: slopeOf(said),
    error: meanOf(said.map(({ prediction, gain }) => prediction - gain)),
  }
}

/** Null if all predictions are equal. */
function slopeOf(said: readonly { prediction: number; gain: number }[]): number | null {
  if (new Set(said.map(({ prediction }) => prediction)).size < 2) return null
  const x = meanOf(said.map(({ prediction }) => prediction)) ?? 0
  const y = meanOf(said.map(({ gain }) => gain)) ?? 0
  const sum = (of: (one: { prediction: number; gain: number }) => number) =>
    said.reduce((total, one) => total + of(one), 0)
  return (
    sum(({ prediction, gain }) => (prediction - x) * (gain - y)) /
    sum(({ prediction }) => (prediction - x) ** 2)
  )
}

export const signedOf = (calls: readonly OracleCall[]): number[] =>
  clustersOf(calls).map((cluster) => meanOf(cluster.map(({ signed }) => signed ?? 0)) ?? 0)
