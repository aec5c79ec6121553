import type { Facets } from '#lib/contract/answers/ratings.ts'
import { parsePeriod, type Span } from '#lib/contract/instant-text.ts'
import { type Chosen, isAny } from '#lib/contract/value-list.ts'
import { isInBin } from './prediction-span.ts'

/** Do the days, months and years that were asked for leave anything of a span? */
export function isInPeriods({ only, not }: Chosen<string>, span: Span): boolean {
  const spans = (periods: readonly string[]) => periods.flatMap((text) => parsePeriod(text) ?? [])
  const meets = (other: Span) => other.from < span.to && other.to > span.from
  const covers = (other: Span) => other.from <= span.from && other.to >= span.to
  return (only.length === 0 || spans(only).some(meets)) && !spans(not).some(covers)
}

/** Do the single predictions that were asked for leave anything of a bin? */
export const isAmong = (
  { only }: Chosen<string>,
  bin: Facets['prediction'][number],
  isLast: boolean,
): boolean => only.length === 0 || only.some((value) => isInBin(bin, value, isLast))

/** The bins, faded where the list leaves nothing of them; the same bins where it is none. */
export function toFaded<B, T>(
  bins: readonly B[],
  chosen: Chosen<T>,
  isLeft: (chosen: Chosen<T>, bin: B, isLast: boolean) => boolean,
): readonly (B | (B & { isFaded: boolean }))[] {
  if (isAny(chosen)) return bins
  return bins.map((bin, index) => ({
    ...bin,
    isFaded: !isLeft(chosen, bin, index === bins.length - 1),
  }))
}
