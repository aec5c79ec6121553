import { PREDICTION_PATTERN } from '#lib/contract/rating-fields.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { NO_PREDICTION_BOUNDS, withFilter } from '#lib/contract/ratings-view.ts'

const PLACES = 6
const MICROS = 10n ** BigInt(PLACES)
const HUNDREDTH = MICROS / 100n

/** Accepts `12.5`, `+12.50%`, `−3`. Null if empty, undefined if not a number. */
export function parsePredictionField(text: string): string | null | undefined {
  const plain = text.replace(/[\s%]/g, '').replace(/^[−–]/, '-').replace(/^\+/, '')
  if (plain === '') return null
  return PREDICTION_PATTERN.test(plain) ? plain : undefined
}

/**
 * Inclusive bounds: the first and last hundredth in the bin, because predictions have two decimal
 * places.
 */
export function toBounds(bin: Bin, isLast: boolean): { least: string; most: string } {
  const [from, to] = [toMicros(bin.from), toMicros(bin.to)]
  const least = -floorTo(-from)
  const most = floorTo(isLast ? to : to - 1n)
  return least > most
    ? { least: bin.from, most: bin.to }
    : { least: toDecimalText(least), most: toDecimalText(most) }
}

type Bin = { from: string; to: string }

/** The last bin includes its upper edge. */
export function isInBin(bin: Bin, prediction: string, isLast: boolean): boolean {
  const [from, at, to] = [toMicros(bin.from), toMicros(prediction), toMicros(bin.to)]
  return at >= from && (isLast ? at <= to : at < to)
}

type Bounds = Pick<
  RatingsQuery,
  'prediction_min' | 'prediction_max' | 'prediction_above' | 'prediction_below'
>

const withOnlyBounds = <Q extends RatingsQuery>(query: Q, bounds: Partial<Bounds>): Q =>
  withFilter(query, { ...bounds, prediction: { only: [], not: query.prediction.not } })

export const withBounds = <Q extends RatingsQuery>(
  query: Q,
  least: string | null,
  most: string | null,
): Q =>
  withOnlyBounds(query, { ...NO_PREDICTION_BOUNDS, prediction_min: least, prediction_max: most })

export const withLeastPrediction = <Q extends RatingsQuery>(query: Q, least: string | null): Q =>
  withOnlyBounds(query, toLeastBounds(query, least))

export const withMostPrediction = <Q extends RatingsQuery>(query: Q, most: string | null): Q =>
  withOnlyBounds(query, toMostBounds(query, most))

export function toLeastBounds(bounds: Bounds, least: string | null): Bounds {
  const { prediction_max: most, prediction_below: below } = bounds
  return {
    prediction_min: least,
    prediction_above: null,
    prediction_max: isAbove(least, most) ? null : most,
    prediction_below: isBelow(least, below) ? below : null,
  }
}

export function toMostBounds(bounds: Bounds, most: string | null): Bounds {
  const { prediction_min: least, prediction_above: above } = bounds
  return {
    prediction_max: most,
    prediction_below: null,
    prediction_min: isAbove(least, most) ? null : least,
    prediction_above: isBelow(above, most) ? above : null,
  }
}

const isAbove = (a: string | null, b: string | null) =>
  a !== null && b !== null && toMicros(a) > toMicros(b)

const isBelow = (a: string | null, b: string | null) =>
  a === null || b === null || toMicros(a) < toMicros(b)

const floorTo = (micros: bigint) => {
  const rest = micros % HUNDREDTH
  return micros - rest - (rest < 0n ? HUNDREDTH : 0n)
}

export function toMicros(text: string): bigint {
  const [whole = '0', fraction = ''] = text.replace(/^[+-]/, '').split('.')
  const micros = BigInt(whole) * MICROS + BigInt(fraction.padEnd(PLACES, '0'))
  return text.startsWith('-') ? -micros : micros
}

/** At least two decimal places unless whole. */
export function toDecimalText(micros: bigint): string {
  const positive = micros < 0n ? -micros : micros
  const fraction = String(positive % MICROS)
    .padStart(PLACES, '0')
    .replace(/0+$/, '')
  const whole = `${micros < 0n ? '-' : ''}${positive / MICROS}`
  return fraction === '' ? whole : `${whole}.${fraction.padEnd(2, '0')}`
}
