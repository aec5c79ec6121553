import fc from 'fast-check'
import { toInstantText } from '#lib/contract/instant-text.ts'
import { type Kind, NEVER_EXPIRES, type Parameter } from '#lib/contract/query-parameters.ts'
import { EVERY_RATING, LISTS, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { type Chosen, compareValues } from '#lib/contract/value-list.ts'
import { toWatchedText } from '#lib/contract/watching-query.ts'
import { queries, symbols } from './queries.ts'
import type { AnySchema } from './schemas.ts'

const LIST_LENGTH = 5

export const valuesOf = (schema: AnySchema): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(schema.parameters).map(([name, given]) => [name, toValue(given)]),
      ),
    )
    .filter((values) => schema.refuse(values).length === 0)

function toValue(parameter: Parameter<unknown>): fc.Arbitrary<unknown> {
  const { kind, isRequired, default: fallback } = parameter
  if (kind.type === 'filters') return filters
  if (kind.list) return toList(kind, isRequired ? 1 : 0)
  return fc.oneof(fc.constant(fallback), toSingle(kind))
}

const filters = fc.uniqueArray(
  queries.map((query): RatingsQuery => {
    const { sort, page, per_page } = EVERY_RATING
    const lists = LISTS.map((name) => [name, toSorted<string | number>(query[name])])
    return { ...query, ...Object.fromEntries(lists), sort, page, per_page }
  }),
  { maxLength: LIST_LENGTH, selector: toWatchedText },
)

const toSorted = <T extends string | number>({ only, not }: Chosen<T>): Chosen<T> => ({
  only: only.toSorted(compareValues),
  not: not.toSorted(compareValues),
})

function toList(kind: Kind, least: number): fc.Arbitrary<unknown> {
  const { most = LIST_LENGTH, excludes = false, isSorted = true } = kind.list ?? {}
  const some = (minLength: number, maxLength: number) =>
    fc
      .uniqueArray(toItem(kind), { minLength, maxLength })
      .map((values) => (isSorted ? values.toSorted(compareValues) : values))
  return fc.record({
    only: some(least, Math.min(most, LIST_LENGTH)),
    not: excludes ? fc.oneof(fc.constant([]), some(0, LIST_LENGTH)) : fc.constant([]),
  })
}

const instants = fc.integer({ min: 0, max: 4_000_000_000 })
const periods = ['1999', '2024-02', '2024-02-29']
const names = fc.stringMatching(/^[a-z_]{1,9}$/)

function toItem({ type, values = [], maxLength = 64 }: Kind): fc.Arbitrary<string | number> {
  switch (type) {
    case 'whole':
      return fc.integer({ min: -99, max: 99_999 })
    case 'symbol':
      return symbols
    case 'decimal':
      return fc.constantFrom('-5', '0', '+1.25', '1.25', '1.250', '-0.000001')
    case 'period':
      return fc.constantFrom(...periods)
    case 'expiry':
      return fc.constantFrom(...periods, NEVER_EXPIRES)
    case 'choice':
      return fc.constantFrom(...values.filter((value) => !value.startsWith('-')))
    case 'text':
      return fc
        .string({ unit: 'grapheme', maxLength: Math.min(9, maxLength) })
        .map((text) => text.replaceAll('\0', '').trim())
    default:
      throw new Error(`Lists of ${type} are not drawn.`)
  }
}

function toSingle(kind: Kind): fc.Arbitrary<unknown> {
  const { type, values = [], minimum, maximum } = kind
  switch (type) {
    case 'instant':
    case 'asof':
      return instants
    case 'day':
      return instants.map((seconds) => toInstantText(seconds).slice(0, 10))
    case 'whole':
      return fc.integer({ min: minimum ?? -99, max: maximum ?? 99_999 })
    case 'names':
      return fc.uniqueArray(values.length > 0 ? fc.constantFrom(...values) : names, {
        minLength: 1,
        maxLength: LIST_LENGTH,
      })
    case 'sort':
      return fc.record({
        column: fc.constantFrom(...values),
        direction: fc.constantFrom('asc', 'desc'),
      })
    default:
      return toItem(kind)
  }
}
