import { PREDICTION_PATTERN } from '#lib/contract/rating.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { withFilter } from './query-change.ts'

const PLACES = 6
const MICROS = 10n ** BigInt(PLACES)
const HUNDREDTH = MICROS / 100n

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
 * The predictions of a bin as bounds that both count: from the first hundredth in it to the last, since a service writes
 * two places. A bin that no hundredth lies in keeps its own edges.
 */
export function toBounds(bin: Bin, isLast: boolean): { least: string; most: string } {
  const [from, to] = [toMicros(bin.from), toMicros(bin.to)]
  const least = -floorTo(-from)
  const most = floorTo(isLast ? to : to - 1n)
  return least > most
    ? { least: bin.from, most: bin.to }
    : { least: toText(least), most: toText(most) }
}

type Bin = { from: string; to: string }

/** Bounds that do not count themselves: only an address or the filter text sets them. */
const NO_BOUND = { prediction_above: null, prediction_below: null }

/** The query from a prediction up; an upper bound below it goes. */
export function withLeastPrediction<Q extends RatingsQuery>(query: Q, least: string | null): Q {
  const { prediction_max: most } = query
  const isEmpty = least !== null && most !== null && Number(least) > Number(most)
  return withFilter(query, {
    ...NO_BOUND,
    prediction_min: least,
    prediction_max: isEmpty ? null : most,
  })
}

/** The query up to a prediction; a lower bound above it goes. */
export function withMostPrediction<Q extends RatingsQuery>(query: Q, most: string | null): Q {
  const { prediction_min: least } = query
  const isEmpty = least !== null && most !== null && Number(least) > Number(most)
  return withFilter(query, {
    ...NO_BOUND,
    prediction_min: isEmpty ? null : least,
    prediction_max: most,
  })
}

const floorTo = (micros: bigint) => {
  const rest = micros % HUNDREDTH
  return micros - rest - (rest < 0n ? HUNDREDTH : 0n)
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
