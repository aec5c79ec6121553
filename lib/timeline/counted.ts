import type { Counted } from '#lib/contract/answers/envelope.ts'

export type Labels = { rating: (code: number) => string; action: (code: number) => string }

export function countOne(counts: Map<number, number>, code: number): void {
  counts.set(code, (counts.get(code) ?? 0) + 1)
}

export const toCounted = (
  counts: ReadonlyMap<number, number>,
  label: (code: number) => string,
): Counted[] =>
  [...counts]
    .sort(([a], [b]) => a - b)
    .map(([value, count]) => ({ value, label: label(value), count }))
