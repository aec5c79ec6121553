import * as z from 'zod/mini'
import {
  type AnyList,
  type FacetsOf,
  type Field,
  type RowOf,
  selectCountedFilters,
  selectFieldNames,
  selectSpanField,
} from '#lib/contract/lists/define-list.ts'
import { envelope, decimal as figure, meta, pageInfo, seconds } from './envelope.ts'

const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))

const decimal = z.string().check(z.regex(/^[+-]?\d+(?:\.\d+)?$/))

const TYPES = {
  whole: z.int(),
  count: z.int(),
  instant: seconds,
  day,
  decimal,
  figure,
  text: z.string(),
  drawing: z.undefined(),
} as const

const toValueSchema = ({ type }: Pick<Field, 'type'>): z.ZodMiniType =>
  typeof type === 'string' ? TYPES[type] : z.literal([...type])

const rowSchemas = new WeakMap<AnyList, z.ZodMiniType>()

type RowSchema<R> = z.ZodMiniObject<{ [K in keyof R]: z.ZodMiniType<R[K]> }>

/** Returns the same instance for the same list. */
export function toRowSchema<L extends AnyList>(list: L): RowSchema<RowOf<L>> {
  const schema = rowSchemas.get(list) ?? toObject(list, selectRowNames(list))
  rowSchemas.set(list, schema)
  return schema as never
}

/** The schema of a row, if files have the same columns. */
export function toFileSchema(list: AnyList): z.ZodMiniType {
  const names = selectFieldNames(list)
  return String(names) === String(selectRowNames(list)) ? toRowSchema(list) : toObject(list, names)
}

const selectRowNames = ({ fields }: AnyList) =>
  Object.keys(fields).filter((name) => fields[name]?.type !== 'drawing')

function toObject({ fields }: AnyList, names: readonly string[]) {
  const values = names.map((name) => {
    const { type, nullable }: Pick<Field, 'type' | 'nullable'> = fields[name] ?? { type: 'text' }
    const value = toValueSchema({ type })
    return [name, nullable ? z.nullable(value) : value]
  })
  return z.object(Object.fromEntries(values))
}

/** `all`: rows without a filter. */
export const toPageAnswer = <L extends AnyList, M extends z.core.$ZodLooseShape>(
  list: L,
  more: M,
) =>
  envelope(z.array(toRowSchema(list)), {
    page: pageInfo,
    meta: z.extend(meta, { all: z.int(), ...more }),
  })

const span = { from: seconds, to: seconds }

type Bins = { from: number; to: number; count: number }[]
type Bounds = { created: { from: number; to: number } | null }

export type ListFacets<L extends AnyList> = FacetsOf<L> &
  (true extends HasSpan<L> ? { created: Bins; bounds: Bounds } : unknown)

type HasSpan<L extends AnyList> = {
  [K in keyof L['fields']]: L['fields'][K] extends { range: { bounds: { from: unknown } } }
    ? true
    : never
}[keyof L['fields']]

type CountSchemas<L extends AnyList> = {
  [K in keyof FacetsOf<L>]: z.ZodMiniType<FacetsOf<L>[K]>
}

export function toCountSchemas<L extends AnyList>(list: L): CountSchemas<L> {
  const filters = selectCountedFilters(list)
  const counts = filters.map(({ name, field }) => {
    const value = toValueSchema(list.fields[field] ?? { type: 'text' })
    return [name, z.array(z.object({ value, count: z.int() }))]
  })
  const distinct = filters.map(({ plural }) => [plural, z.int()])
  const schemas = {
    ...Object.fromEntries(counts),
    distinct: z.object(Object.fromEntries(distinct)),
  }
  return schemas as never
}

/**
 * Each facet counts rows under all other filters and keeps the query's own values at 0. `distinct`:
 * values before truncation.
 */
export function toFacetsAnswer<L extends AnyList, M extends z.core.$ZodLooseShape>(
  list: L,
  more: M,
) {
  const facets = z.object({
    ...toCountSchemas(list),
    ...(selectSpanField(list) !== null && {
      created: z.array(z.object({ ...span, count: z.int() })),
      bounds: z.object({ created: z.nullable(z.object(span)) }),
    }),
  })
  const typed: z.ZodMiniType<ListFacets<L>> = facets as never
  return envelope(typed, { meta: z.extend(meta, more) })
}
