import { type ComparedLine, type CompareScale, toEnds } from './compared-lines.ts'

type Told = { scale: CompareScale; bucket: string; toWhen: (t: number) => string }

/**
 * A comparison in words, for whoever does not see it: the range, then each symbol's first and last value, and when those
 * were where they are not at the range's ends.
 */
export function toCompareSummary(
  lines: readonly ComparedLine[],
  { scale, bucket, toWhen }: Told,
): string {
  const [first, last] = [lines[0]?.points.at(0), lines[0]?.points.at(-1)]
  if (!first || !last) return 'Nothing is drawn.'
  const what = scale === 'rating' ? 'Consensus' : 'Change of consensus'
  const head = `${what} by ${bucket}, ${toWhen(first.t)} to ${toWhen(last.t)}.`
  const unless = (end: number, t: number, word: string) =>
    t === end ? '' : ` ${word} ${bucket === 'week' ? 'the ' : ''}${toWhen(t)}`
  const told = lines.map((line) => {
    const ends = toEnds(line)
    if (!ends) return `${line.symbol}: too few ratings throughout.`
    const end = `${ends.last.text}${unless(last.t, ends.last.t, bucket === 'day' ? 'on' : 'in')}`
    if (scale === 'change')
      return `${line.symbol}: ${end}${unless(first.t, ends.first.t, 'since')}.`
    const start = unless(first.t, ends.first.t, bucket === 'day' ? 'on' : 'in')
    return `${line.symbol}: from ${ends.first.text}${start} to ${end}.`
  })
  return [head, ...told].join(' ')
}
