import * as z from 'zod/mini'
import {
  type AnyList,
  type FacetsOf,
  type Field,
  type RowOf,
  selectSpanField,
  selectValueFilters,
} from '#lib/contract/lists/define-list.ts'
import { envelope, meta, pageInfo, seconds } from './envelope.ts'

/** `2026-11-15`. */
const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))

/** Predictions keep the sign that came. */
const decimal = z.string().check(z.regex(/^[+-]?\d+(?:\.\d+)?$/))

const TYPES = { whole: z.int(), instant: seconds, day, decimal, text: z.string() } as const

const toValueSchema = ({ type }: Pick<Field, 'type'>): z.ZodMiniType =>
  typeof type === 'string' ? TYPES[type] : z.literal([...type])

const rowSchemas = new WeakMap<AnyList, z.ZodMiniType>()

/** A row as answers and files have it; the same schema for each call. */
export function toRowSchema<L extends AnyList>(list: L): z.ZodMiniType<RowOf<L>> {
  const schema = rowSchemas.get(list) ?? createRowSchema(list)
  rowSchemas.set(list, schema)
  // A cast: values are built field by field, as the type says.
  return schema as never
}

function createRowSchema({ fields }: AnyList): z.ZodMiniType {
  const values = Object.entries(fields).map(([name, field]) => {
    const value = toValueSchema(field)
    return [name, field.nullable ? z.nullable(value) : value]
  })
  return z.object(Object.fromEntries(values))
}

/** A page of a list. `all` is the number of rows without a filter. */
export const toPageAnswer = <L extends AnyList, M extends z.core.$ZodLooseShape>(
  list: L,
  more: M,
) =>
  envelope(z.array(toRowSchema(list)), {
    page: pageInfo,
    meta: z.extend(meta, { all: z.int(), ...more }),
  })

const span = { from: seconds, to: seconds }

/** Half open, over all rows that pass the other filters. */
type Bins = { from: number; to: number; count: number }[]
/** Of all rows; null where there are none. */
type Bounds = { created: { from: number; to: number } | null }

/** The counts of a list; of one that is filtered by a span also bins over time. */
export type ListFacets<L extends AnyList> = FacetsOf<L> &
  (true extends HasSpan<L> ? { created: Bins; bounds: Bounds } : unknown)

type HasSpan<L extends AnyList> = {
  [K in keyof L['fields']]: L['fields'][K] extends { filter: { by: 'span' } } ? true : never
}[keyof L['fields']]

/**
 * The counts of a list: each facet counts the rows that pass all the other filters, and has the values that the query names even
 * without a row. `distinct` is how many values a facet has in all.
 */
export function toFacetsAnswer<L extends AnyList, M extends z.core.$ZodLooseShape>(
  list: L,
  more: M,
) {
  const filters = selectValueFilters(list)
  const counts = filters.map(({ name, field }) => {
    const value = toValueSchema(list.fields[field] ?? { type: 'text' })
    return [name, z.array(z.object({ value, count: z.int() }))]
  })
  const distinct = filters.map(({ plural }) => [plural, z.int()])
  const facets = z.object({
    ...Object.fromEntries(counts),
    distinct: z.object(Object.fromEntries(distinct)),
    ...(selectSpanField(list) !== null && {
      created: z.array(z.object({ ...span, count: z.int() })),
      bounds: z.object({ created: z.nullable(z.object(span)) }),
    }),
  })
  // A cast, as above.
  const typed: z.ZodMiniType<ListFacets<L>> = facets as never
  return envelope(typed, { meta: z.extend(meta, more) })
}
