import { type ComparedLine, type CompareScale, toEnds } from './compared-lines.ts'

type Told = {
  scale: CompareScale
  bucket: string
  /** What stood at the end of the bucket that begins at `t`: `in 2021-01`, `now`. */
  toWhen: (t: number) => string
}

/** A comparison in words, for whoever does not see it: each symbol's first and last value, and when those were. */
export function toCompareSummary(
  lines: readonly ComparedLine[],
  { scale, bucket, toWhen }: Told,
): string {
  if (!lines[0]?.points.length) return 'Nothing is drawn.'
  const told = lines.map((line) => {
    const ends = toEnds(line)
    if (!ends) return `${line.symbol}: too few ratings throughout.`
    const [from, to] = [ends.first, ends.last].map(({ t, text }) => `${text} ${toWhen(t)}`)
    return `${line.symbol}: ${from === to ? to : `from ${from} to ${to}`}.`
  })
  return [
    `${scale === 'rating' ? 'Consensus' : 'Change of consensus'} by ${bucket}.`,
    ...told,
  ].join(' ')
}
