import type { Issue } from '#lib/contract/faults.ts'
import { type Parameter, parameter, type Sort } from '#lib/contract/query-parameters.ts'
import {
  type Parameters,
  type QuerySchema,
  querySchema,
  type ValuesOf,
} from '#lib/contract/query-schema.ts'
import { ANY, type Chosen } from '#lib/contract/value-list.ts'

/** Included and excluded values of a field. */
export type ValuesFilter = {
  by: 'values'
  /** The parameter, and the name of its counts among the facets. */
  name: string
  parameter: Parameter<Chosen<string>> | Parameter<Chosen<number>>
  /** The values in the plural, as facets name how many there are. */
  plural: string
  /** All values, where they are known: each is counted, in this order. */
  values?: readonly string[]
  /** Every value is counted. Missing: the most frequent ones are. */
  all?: true
}

/** A span of an instant field, as the parameters `from` and `to`. */
export type SpanFilter = {
  by: 'span'
  from: Parameter<number | null>
  to: Parameter<number | null>
}

export type Field = {
  label: string
  /** Aligned right. */
  numeric?: true
  /** The direction of the first click; missing: rows are not sorted by it. */
  sort?: Sort<string>['direction']
  filter?: ValuesFilter | SpanFilter
}

export type Fields = Readonly<Record<string, Field>>

type Sorted<F extends Fields> = {
  [K in keyof F]: F[K] extends { sort: Sort<string>['direction'] } ? K : never
}[keyof F] &
  string

type ValueParameters<F extends Fields> = {
  [K in keyof F as F[K] extends { filter: { by: 'values'; name: infer N extends string } }
    ? N
    : never]: F[K] extends { filter: { parameter: infer P } } ? P : never
}

type SpanParameters<F extends Fields> = [Extract<F[keyof F], { filter: { by: 'span' } }>] extends [
  never,
]
  ? unknown
  : Pick<SpanFilter, 'from' | 'to'>

export type ListParameters<F extends Fields, X extends Parameters> = ValueParameters<F> &
  SpanParameters<F> &
  X & {
    sort: Parameter<Sort<Sorted<F>>>
    page: Parameter<number>
    per_page: Parameter<number>
  }

/** Rows with typed fields: what they are filtered, counted, sorted, shown and exported by. */
export type List<F extends Fields, P extends Parameters, T extends string = string> = {
  /** What one row is. */
  readonly one: string
  /** In the order of answers and files. */
  readonly fields: F
  readonly query: QuerySchema<P>
  /** The columns of the table, in order. */
  readonly table: readonly T[]
}

export type ListQuery<L> = L extends { query: QuerySchema<infer P> } ? ValuesOf<P> : never

type ValuesFilterOf<L extends AnyList> = Extract<
  L['fields'][keyof L['fields']],
  { filter: { by: 'values' } }
>['filter']

/** How many rows each value of a filter would leave under the other filters, and how many such values there are. */
export type FacetsOf<L extends AnyList> = {
  [V in ValuesFilterOf<L> as V['name']]: {
    value: V['parameter'] extends Parameter<Chosen<infer T>> ? T : never
    count: number
  }[]
} & { distinct: { [V in ValuesFilterOf<L> as V['plural']]: number } }

/** Any list and any query of one, for code that works on all of them. */
export type AnyList = Pick<List<Fields, Parameters>, 'fields'>
export type AnyQuery = Readonly<Record<string, unknown>> & {
  sort: Sort<string>
  page: number
  per_page: number
}

type Given<F extends Fields, X extends Parameters, T extends string> = Omit<
  List<F, Parameters, T>,
  'query'
> & {
  sort: Sort<Sorted<F>>
  /** Parameters that filter no field. */
  parameters: X
  /** Names of parameters that come first; the others follow in the order of the fields. */
  order?: readonly string[]
  /** Issues with values that are valid one by one. */
  refuse?: (values: ValuesOf<ListParameters<F, X>>) => readonly Issue[]
}

/** Describes a list. The parameters of its query are the filters of its fields, `parameters`, `sort`, `page` and `per_page`. */
export function defineList<
  const F extends Fields,
  const X extends Parameters,
  const T extends keyof F & string,
>({
  sort,
  parameters,
  order = [],
  refuse,
  ...list
}: Given<F, X, T>): List<F, ListParameters<F, X>, T> {
  const all: Parameters = {
    ...toFilterParameters(list.fields),
    ...parameters,
    sort: parameter.sort(selectSorted(list.fields), sort),
    page: parameter.page(),
    per_page: parameter.perPage(),
  }
  const names = [...new Set([...order, ...Object.keys(all)])]
  const ordered = Object.fromEntries(
    names.flatMap((name) => (all[name] ? [[name, all[name]]] : [])),
  )
  // The casts: parameters, and so the values, are built field by field as the types say.
  const query = querySchema<Parameters>(ordered, { refuse: refuse as never })
  return { ...list, query } as never
}

function toFilterParameters(fields: Fields): Parameters {
  const entries = Object.values(fields).flatMap(({ filter }): [string, Parameter<unknown>][] => {
    if (filter === undefined) return []
    return filter.by === 'values'
      ? [[filter.name, filter.parameter]]
      : [
          ['from', filter.from],
          ['to', filter.to],
        ]
  })
  return Object.fromEntries(entries)
}

/** The names of the fields that rows can be sorted by. */
export const selectSorted = <F extends Fields>(fields: F): Sorted<F>[] =>
  // A cast: the condition is that of the type.
  Object.keys(fields).filter((name) => fields[name]?.sort !== undefined) as Sorted<F>[]

/** The names of the fields, in the order of answers and files. */
export const selectFieldNames = <F extends Fields>({
  fields,
}: Pick<List<F, Parameters>, 'fields'>): readonly (keyof F & string)[] => Object.keys(fields)

/** The fields that are filtered by values, with their names. */
export const selectValueFilters = ({ fields }: AnyList) =>
  Object.entries(fields).flatMap(([field, { label, filter }]) =>
    filter?.by === 'values' ? [{ ...filter, field, label }] : [],
  )

/** The field that is filtered by a span; null where none is. */
export const selectSpanField = ({ fields }: AnyList): string | null =>
  Object.keys(fields).find((name) => fields[name]?.filter?.by === 'span') ?? null

/** The values that a query includes and excludes by a filter. */
export function readChosen(
  query: Readonly<Record<string, unknown>>,
  name: string,
): Chosen<string | number> {
  const value = query[name]
  return isChosen(value) ? value : ANY
}

const isChosen = (value: unknown): value is Chosen<string | number> =>
  typeof value === 'object' && value !== null && 'only' in value && 'not' in value

/** A bound of a query's span in seconds since 1970. */
export const readBound = (
  query: Readonly<Record<string, unknown>>,
  name: 'from' | 'to',
): number | null => {
  const value = query[name]
  return typeof value === 'number' ? value : null
}
