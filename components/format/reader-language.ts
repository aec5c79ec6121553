import { ENGLISH, type NumberMarks } from './numbers.ts'

const FALLBACK = 'en-US'
const LONGEST_HEADER = 1000
const MOST_LANGUAGES = 20
const DIRECTION = /[\u200e\u200f\u061c]/g

/** English if unreadable. */
export function toReaderLanguage(header: string | null): string {
  const asked = (header ?? '').slice(0, LONGEST_HEADER).split(',').slice(0, MOST_LANGUAGES)
  const liked = asked.map(readRange).filter(({ weight }) => weight > 0)
  liked.sort((a, b) => b.weight - a.weight)
  return liked.map(({ tag }) => toKnown(tag)).find((tag) => tag !== null) ?? FALLBACK
}

function readRange(text: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = text.split(';').map((part) => part.trim())
  const written = parameters.find((parameter) => parameter.startsWith('q='))
  const weight = written === undefined ? 1 : Number(written.slice(2))
  return { tag, weight: weight <= 1 ? weight : 0 }
}

function toKnown(tag: string): string | null {
  try {
    const { baseName } = new Intl.Locale(tag)
    return Intl.NumberFormat.supportedLocalesOf(baseName)[0] ?? null
  } catch {
    return null
  }
}

export function toNumberMarks(language: string): NumberMarks {
  const latin = { numberingSystem: 'latn' } as const
  const number = new Intl.NumberFormat(language, latin)
  const parts = number.formatToParts(12_345_678.5)
  const wholes = parts.filter(({ type }) => type === 'integer')
  const isGrouped = (value: number) =>
    number.formatToParts(value).some(({ type }) => type === 'group')
  const percent = new Intl.NumberFormat(language, { ...latin, style: 'percent' }).formatToParts(0.5)
  const at = percent.findIndex(({ type }) => type === 'integer')
  return {
    group: toText(parts.filter(({ type }) => type === 'group').slice(0, 1)),
    farGroup: wholes.at(-2)?.value.length ?? ENGLISH.farGroup,
    leastDigits: isGrouped(1234) ? 4 : 5,
    decimal: toText(parts.filter(({ type }) => type === 'decimal')) || ENGLISH.decimal,
    percent: [toText(percent.slice(0, at)), toText(percent.slice(at + 1))],
  }
}

const toText = (parts: readonly Intl.NumberFormatPart[]) =>
  parts
    .map(({ value }) => value)
    .join('')
    .replace(DIRECTION, '')
