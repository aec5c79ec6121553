import type { UserRecord } from '#lib/contract/answers/users.ts'

export const WilsonText = () => (
  <>
    <p>The lower end of Wilson’s interval for x of n votes, with z = 1.96 (95%):</p>
    <p className="rounded bg-sunk px-2 py-1 font-mono text-ink">
      (x + z²/2 − z·√(x·(n − x)/n + z²/4)) / (n + z²)
    </p>
    <p>
      E. B. Wilson, “Probable Inference, the Law of Succession, and Statistical Inference”, JASA 22
      (1927), 209–212.
    </p>
  </>
)

/**
 * 95% range under chance, in whole percent of `n`. Normal approximation: moves / 2 ± 1.96 · √moves
 * / 2.
 */
export function toCoinRange({ n, towards, away }: UserRecord['lead']): {
  low: number
  high: number
} {
  const moves = towards + away
  const half = (1.96 * Math.sqrt(moves)) / 2
  const toShare = (count: number) => Math.round((100 * Math.min(moves, Math.max(0, count))) / n)
  return { low: toShare(moves / 2 - half), high: toShare(moves / 2 + half) }
}
