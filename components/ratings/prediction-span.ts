import { PREDICTION_PATTERN } from '#lib/contract/rating.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { withFilter } from './query-change.ts'

const PLACES = 6
const MICROS = 10n ** BigInt(PLACES)

/**
 * What somebody wrote into a prediction field as the decimal text of the query: `12.5`, `+12.50%`, `−3`, `0`.
 * Null where nothing stands there, `undefined` where it is no number.
 */
export function parsePredictionField(text: string): string | null | undefined {
  const plain = text.replace(/[\s%]/g, '').replace(/^[−–]/, '-').replace(/^\+/, '')
  if (plain === '') return null
  return PREDICTION_PATTERN.test(plain) ? plain : undefined
}

/**
 * The greatest prediction below a bound, since bins are half open and the query's bounds are not. Exact: six places
 * are what the archive holds.
 */
export const toJustBelow = (bound: string): string => toText(toMicros(bound) - 1n)

/** The bound that a prediction lies just below, with its own places, or null where it lies below none. */
export function toBoundAbove(prediction: string): string | null {
  const micros = toMicros(prediction) + 1n
  return micros % 100n === 0n ? toText(micros) : null
}

/** The query from a prediction up; an upper bound below it goes. */
export function withLeastPrediction(query: RatingsQuery, least: string | null): RatingsQuery {
  const { prediction_max: most } = query
  const isEmpty = least !== null && most !== null && Number(least) > Number(most)
  return withFilter(query, { prediction_min: least, prediction_max: isEmpty ? null : most })
}

/** The query up to a prediction; a lower bound above it goes. */
export function withMostPrediction(query: RatingsQuery, most: string | null): RatingsQuery {
  const { prediction_min: least } = query
  const isEmpty = least !== null && most !== null && Number(least) > Number(most)
  return withFilter(query, { prediction_min: isEmpty ? null : least, prediction_max: most })
}

function toMicros(text: string): bigint {
  const [whole = '0', fraction = ''] = text.replace(/^[+-]/, '').split('.')
  const micros = BigInt(whole) * MICROS + BigInt(fraction.padEnd(PLACES, '0'))
  return text.startsWith('-') ? -micros : micros
}

function toText(micros: bigint): string {
  const positive = micros < 0n ? -micros : micros
  const fraction = String(positive % MICROS)
    .padStart(PLACES, '0')
    .replace(/0+$/, '')
  const whole = `${micros < 0n ? '-' : ''}${positive / MICROS}`
  return fraction === '' ? whole : `${whole}.${fraction.padEnd(2, '0')}`
}
