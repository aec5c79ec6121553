import type { ExportFormat } from '#lib/contract/export-formats.ts'
import type { Issue } from '#lib/contract/faults.ts'
import {
  AS_OF,
  type CombinedFilter,
  type FilterWords,
  spanFilter,
  type WordedFilter,
} from '#lib/contract/filter-words.ts'
import { type Parameter, parameter, type Sort } from '#lib/contract/query-parameters.ts'
import {
  type Parameters,
  type QuerySchema,
  querySchema,
  type ValuesOf,
} from '#lib/contract/query-schema.ts'
import type { Tag } from '#lib/contract/tags.ts'
import { ANY, type Chosen } from '#lib/contract/value-list.ts'

export type ValuesFilter = FilterWords & {
  by: 'values'
  name: string
  parameter: Parameter<Chosen<string>> | Parameter<Chosen<number>>
  plural: string
  values?: readonly string[]
  /** Count every value. Default: the most frequent only. */
  all?: true
}

type SpanFilter = Pick<CombinedFilter, 'word'> & {
  by: 'span'
  from: Parameter<number | null>
  to: Parameter<number | null>
}

/**
 * `instant`: seconds since 1970. `decimal`: text. `count`, `figure`: a whole number and a decimal
 * that are computed. `drawing`: no value, only a column of the table.
 */
export type FieldType =
  | 'whole'
  | 'count'
  | 'figure'
  | 'drawing'
  | 'instant'
  | 'day'
  | 'decimal'
  | 'text'
  | readonly (string | number)[]

export type Field = {
  label: string
  /** A sentence. Default: the label. */
  meaning?: string
  type: FieldType
  nullable?: true
  /** Files also have `…_date`: an instant as text. */
  dated?: true
  /** Default: all. */
  files?: readonly ('export' | 'database')[]
  /** Exempts numeric text from the spreadsheet guard. */
  mayBeNumber?: true
  numeric?: true
  /** Direction of the first click. Missing: not sortable. */
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

type ListParameters<F extends Fields, X extends Parameters> = ValueParameters<F> &
  SpanParameters<F> &
  X & {
    sort: Parameter<Sort<Sorted<F>>>
    page: Parameter<number>
    per_page: Parameter<number>
  }

export type List<
  F extends Fields,
  P extends Parameters,
  T extends string = string,
  N extends string = string,
> = {
  readonly path: N
  /** Ends the operation ids: `listLookups`. */
  readonly title: string
  readonly one: string
  readonly tag: Tag
  readonly permission: 'read' | 'inspect'
  readonly cached: 'archive' | 'no'
  /** Default: all. */
  readonly formats?: readonly ExportFormat[]
  readonly summary: { readonly page: string; readonly facets?: string; readonly file: string }
  readonly method: string
  /** The names of its files state the order. */
  readonly isRanked?: true
  readonly toHead?: (query: Readonly<Record<string, unknown>>) => {
    words: readonly string[]
    isDated: boolean
  }
  readonly fields: F
  readonly query: QuerySchema<P>
  readonly filters: readonly WordedFilter[]
  readonly table: readonly T[]
}

export type ListQuery<L> = L extends { query: QuerySchema<infer P> } ? ValuesOf<P> : never

type ValuesFilterOf<L extends AnyList> = Extract<
  L['fields'][keyof L['fields']],
  { filter: { by: 'values' } }
>['filter']

/** `distinct`: values before truncation. */
export type FacetsOf<L extends AnyList> = {
  [V in ValuesFilterOf<L> as V['name']]: {
    value: V['parameter'] extends Parameter<Chosen<infer T>> ? T : never
    count: number
  }[]
} & { distinct: { [V in ValuesFilterOf<L> as V['plural']]: number } }

type ValueOf<F extends Field> =
  | (F['type'] extends 'whole' | 'count' | 'instant'
      ? number
      : F['type'] extends readonly (infer V extends string | number)[]
        ? V
        : string)
  | (F extends { nullable: true } ? null : never)

export type RowOf<L extends AnyList> = {
  [K in keyof L['fields'] as L['fields'][K]['type'] extends 'drawing' ? never : K]: ValueOf<
    L['fields'][K]
  >
}

export type AnyList = Pick<List<Fields, Parameters>, 'fields'>
export type WordedList = Pick<List<Fields, Parameters>, 'fields' | 'filters'>
export type AnyQuery = Readonly<Record<string, unknown>> & {
  sort: Sort<string>
  page: number
  per_page: number
}

type ListDefinition<
  F extends Fields,
  X extends Parameters,
  T extends string,
  N extends string,
> = Omit<List<F, Parameters, T, N>, 'query' | 'filters'> & {
  sort: Sort<Sorted<F>>
  parameters: X
  order?: readonly string[]
  context?: readonly CombinedFilter[]
  /** Issues with combinations of valid values. */
  refuse?: (values: ValuesOf<ListParameters<F, X>>) => readonly Issue[]
}

/** Where a list is a page of its own. */
export type ListPage = { readonly path: string; readonly title: string }

export function defineList<
  const F extends Fields,
  const X extends Parameters,
  const T extends keyof F & string,
  const N extends string,
  const G extends ListPage | undefined = undefined,
>({
  sort,
  parameters,
  order = [],
  context = 'asof' in parameters ? [AS_OF] : [],
  refuse,
  ...list
}: ListDefinition<F, X, T, N> & { page?: G }): List<F, ListParameters<F, X>, T, N> & { page: G } {
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
  const query = querySchema<Parameters>(ordered, { refuse: refuse as never })
  const filters = [...selectWordedFilters(list.fields), ...context]
  return { ...list, query, filters } as never
}

const selectWordedFilters = (fields: Fields): WordedFilter[] =>
  Object.values(fields).flatMap(({ filter }): WordedFilter[] => {
    if (filter === undefined) return []
    return filter.by === 'span' ? [spanFilter(filter.word)] : [filter]
  })

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

export const selectSorted = <F extends Fields>(fields: F): Sorted<F>[] =>
  Object.keys(fields).filter((name) => fields[name]?.sort !== undefined) as Sorted<F>[]

const isIn = ({ type, files }: Field, file: 'export' | 'database') =>
  type !== 'drawing' && (files === undefined || files.includes(file))

export const selectColumns = ({ fields }: AnyList, file: 'export' | 'database') =>
  Object.entries(fields).filter(([, field]) => isIn(field, file))

/** The columns of an export, in order. */
export const selectFieldNames = <F extends Fields>(
  list: Pick<List<F, Parameters>, 'fields'>,
): readonly (keyof F & string)[] =>
  selectColumns(list, 'export').flatMap(([name, { dated }]) =>
    dated ? [name, toDateName(name)] : [name],
  )

export const toDateName = (name: string) => `${name}_date`

export const selectValueFilters = ({ fields }: AnyList) =>
  Object.entries(fields).flatMap(([field, { label, filter }]) =>
    filter?.by === 'values' ? [{ ...filter, field, label }] : [],
  )

export const selectSpanField = ({ fields }: AnyList): string | null =>
  Object.keys(fields).find((name) => fields[name]?.filter?.by === 'span') ?? null

export function readChosen(
  query: Readonly<Record<string, unknown>>,
  name: string,
): Chosen<string | number> {
  const value = query[name]
  return isChosen(value) ? value : ANY
}

const isChosen = (value: unknown): value is Chosen<string | number> =>
  typeof value === 'object' && value !== null && 'only' in value && 'not' in value

/** Seconds since 1970. */
export const readBound = (
  query: Readonly<Record<string, unknown>>,
  name: 'from' | 'to',
): number | null => {
  const value = query[name]
  return typeof value === 'number' ? value : null
}
