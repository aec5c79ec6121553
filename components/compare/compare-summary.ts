import { type ComparedLine, type CompareScale, toEnds } from './compared-lines.ts'

type Told = { scale: CompareScale; bucket: string; toWhen: (t: number) => string }

/** A comparison in words, for whoever does not see it: the range, then each symbol's first and last value. */
export function toCompareSummary(
  lines: readonly ComparedLine[],
  { scale, bucket, toWhen }: Told,
): string {
  const [first, last] = [lines[0]?.points.at(0), lines[0]?.points.at(-1)]
  if (!first || !last) return 'Nothing is drawn.'
  const what = scale === 'rating' ? 'Consensus' : 'Change of consensus'
  const head = `${what} by ${bucket}, ${toWhen(first.t)} to ${toWhen(last.t)}.`
  const told = lines.map((line) => {
    const ends = toEnds(line)
    if (!ends) return `${line.symbol}: too few ratings throughout.`
    const end = `${ends.last.text} in ${toWhen(ends.last.t)}`
    if (scale === 'change') return `${line.symbol}: ${end}, since ${toWhen(ends.first.t)}.`
    return `${line.symbol}: from ${ends.first.text} in ${toWhen(ends.first.t)} to ${end}.`
  })
  return [head, ...told].join(' ')
}
