/** A decimal number: `units` divided by ten to the power of `places`. */
export type Decimal = { units: bigint; places: number }

/** Reads decimal text, `-12.50` or `+3`. Throws where the text is no decimal number. */
export function parseDecimal(text: string): Decimal {
  const match = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) throw new RangeError('not a decimal number')
  const [, sign, whole = '', fraction = ''] = match
  const units = BigInt(whole + fraction)
  return { units: sign === '-' ? -units : units, places: fraction.length }
}

/** Text with all its places: `{ units: -1250n, places: 2 }` is `-12.50`. Zero has no sign. */
export function toDecimalText({ units, places }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const sign = units < 0n ? '-' : ''
  return places === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-places)}`
}

/** A number of millionths, which every prediction is, as the shortest text: `12500000n` is `12.5`. */
export function toShortText(millionths: bigint): string {
  const text = toDecimalText({ units: millionths, places: 6 })
  return text.replace(/\.?0+$/, '')
}

/** Decimal text of at most 6 places in millionths. */
export function toMillionths(text: string): bigint {
  const { units, places } = parseDecimal(text)
  if (places > 6) throw new RangeError('more than 6 places')
  return units * 10n ** BigInt(6 - places)
}
