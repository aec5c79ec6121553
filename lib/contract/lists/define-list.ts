import type { Issue } from '#lib/contract/faults.ts'
import { type Parameter, parameter, type Sort } from '#lib/contract/query-parameters.ts'
import {
  type Parameters,
  type QuerySchema,
  querySchema,
  type ValuesOf,
} from '#lib/contract/query-schema.ts'
import type { Tag } from '#lib/contract/tags.ts'
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

/** `whole` and `instant` (seconds since 1970) are numbers; a `decimal` is a text with all its digits; a list names the only values. */
export type FieldType =
  | 'whole'
  | 'instant'
  | 'day'
  | 'decimal'
  | 'text'
  | readonly (string | number)[]

export type Field = {
  label: string
  type: FieldType
  /** A row may have no value: null. */
  nullable?: true
  /** A text that may be a number, which a spreadsheet's guard leaves as it is. */
  mayBeNumber?: true
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
export type List<
  F extends Fields,
  P extends Parameters,
  T extends string = string,
  N extends string = string,
> = {
  /** Its path below `/api`; the names of its files begin with the last part. */
  readonly path: N
  /** Ends the ids of its operations: `listLookups`. */
  readonly title: string
  /** What one row is. */
  readonly one: string
  readonly tag: Tag
  /** To read its rows. */
  readonly permission: 'read' | 'inspect'
  /** Whether an answer changes only with the archive. */
  readonly cached: 'archive' | 'no'
  /** Summaries of its operations in the API's description. */
  readonly summary: { readonly page: string; readonly facets: string; readonly file: string }
  /** What the manifest of a file says about how its figures come about. */
  readonly method: string
  /** What the name of a file says before its filters; `isDated`: it says of which day the file is. Missing: nothing. */
  readonly toHead?: (query: Readonly<Record<string, unknown>>) => {
    words: readonly string[]
    isDated: boolean
  }
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

type ValueOf<F extends Field> =
  | (F['type'] extends 'whole' | 'instant'
      ? number
      : F['type'] extends readonly (infer V extends string | number)[]
        ? V
        : string)
  | (F extends { nullable: true } ? null : never)

/** A row as answers and files have it. */
export type RowOf<L extends AnyList> = { [K in keyof L['fields']]: ValueOf<L['fields'][K]> }

/** Any list and any query of one, for code that works on all of them. */
export type AnyList = Pick<List<Fields, Parameters>, 'fields'>
export type AnyQuery = Readonly<Record<string, unknown>> & {
  sort: Sort<string>
  page: number
  per_page: number
}

type Given<F extends Fields, X extends Parameters, T extends string, N extends string> = Omit<
  List<F, Parameters, T, N>,
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
  const N extends string,
>({
  sort,
  parameters,
  order = [],
  refuse,
  ...list
}: Given<F, X, T, N>): List<F, ListParameters<F, X>, T, N> {
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

/** The names of the fields with decimals. */
export const selectDecimals = ({ fields }: AnyList): readonly string[] =>
  Object.keys(fields).filter((name) => fields[name]?.type === 'decimal')

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
