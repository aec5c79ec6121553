import type { Counted } from '#lib/contract/answers/envelope.ts'

type Count = { value: number; count: number }

export function tally<L extends { count: number }>(
  lines: readonly L[],
  read: (line: L) => number,
): Count[] {
  const counts = new Map<number, number>()
  for (const line of lines) counts.set(read(line), (counts.get(read(line)) ?? 0) + line.count)
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => a.value - b.value)
}

export const tallyLabelled = <L extends { count: number }>(
  lines: readonly L[],
  read: (line: L) => number,
  label: (code: number) => string,
): Counted[] =>
  tally(lines, read).map(({ value, count }) => ({ value, label: label(value), count }))
