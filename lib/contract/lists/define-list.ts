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
  /** Names the counted values. Missing: they are not counted. */
  plural?: string
  values?: readonly string[]
  /** Count every value. Default: the most frequent only. */
  all?: true
  /** The values with words are codes in this order. */
  isOrdered?: true
}

/** One of a few values, or null. */
type ChoiceFilter = Pick<FilterWords, 'word' | 'phrase'> & {
  by: 'choice'
  name: string
  parameter: Parameter<string | null>
  words: NonNullable<FilterWords['words']>
}

type Bound = readonly [
  operator: '>=' | '>' | '<=' | '<',
  parameter: Parameter<number | null> | Parameter<string | null>,
]

/** Bounds of a field, by parameter. Null: no bound. */
type Range = {
  word: string
  bounds: Readonly<Record<string, Bound>>
  /** Default: a span of instants. */
  toText?: CombinedFilter['toText']
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
  /** Of files: only if the request names it. */
  onRequest?: true
  filter?: ValuesFilter | ChoiceFilter
  range?: Range
}

export type Fields = Readonly<Record<string, Field>>

type Sorted<F extends Fields> = {
  [K in keyof F]: F[K] extends { sort: Sort<string>['direction'] } ? K : never
}[keyof F] &
  string

type FilterParameters<F extends Fields> = {
  [K in keyof F as F[K] extends { filter: { name: infer N extends string } }
    ? N
    : never]: F[K] extends { filter: { parameter: infer P } } ? P : never
}

type BoundsOf<F extends Fields> = {
  [K in keyof F]: F[K] extends { range: { bounds: infer B } } ? (bounds: B) => void : never
}[keyof F]

type RangeParameters<F extends Fields> = [BoundsOf<F>] extends [(bounds: infer B) => void]
  ? { [N in keyof B]: B[N] extends readonly [unknown, infer P] ? P : never }
  : unknown

type ListParameters<F extends Fields, X extends Parameters> = FilterParameters<F> &
  RangeParameters<F> &
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
  readonly cached: 'archive' | 'row' | 'no'
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

type CountedFilterOf<L extends AnyList> = Extract<
  L['fields'][keyof L['fields']],
  { filter: { by: 'values'; plural: string } }
>['filter']

/** `distinct`: values before truncation. */
export type FacetsOf<L extends AnyList> = {
  [V in CountedFilterOf<L> as V['name']]: {
    value: V['parameter'] extends Parameter<Chosen<infer T>> ? T : never
    count: number
  }[]
} & { distinct: { [V in CountedFilterOf<L> as V['plural']]: number } }

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

export type AnyList = Pick<List<Fields, Parameters>, 'fields' | 'filters'>
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
  /** The first parameters. */
  order?: readonly string[]
  /** The first parameters of an address. Default: `order`. */
  addressOrder?: readonly string[]
  /** The first filters of titles and chips, by their first parameter. Default: by field. */
  wordOrder?: readonly string[]
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
  addressOrder = order,
  wordOrder = [],
  context = 'asof' in parameters ? [AS_OF] : [],
  refuse = () => [],
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
  const ranges = sortBy(selectRanges(list), wordOrder, ({ bounds }) => bounds[0]?.name)
  const query = querySchema<Parameters>(ordered, {
    refuse: (values) => [...refuseEmptyRanges(ranges, values), ...refuse(values as never)],
    order: addressOrder,
  })
  const filters = sortBy(selectWordedFilters(list.fields), wordOrder, (filter) =>
    filter.by === 'values' ? filter.name : filter.names[0],
  )
  return { ...list, query, filters: [...filters, ...context] } as never
}

function sortBy<T>(
  items: readonly T[],
  first: readonly string[],
  toName: (item: T) => string | undefined,
): T[] {
  const toPlace = (item: T) => {
    const place = first.indexOf(toName(item) ?? '')
    return place < 0 ? first.length : place
  }
  return items.toSorted((a, b) => toPlace(a) - toPlace(b))
}

const selectWordedFilters = (fields: Fields): WordedFilter[] =>
  Object.values(fields).flatMap(({ filter, range }): WordedFilter[] => [
    ...(filter ? [filter.by === 'values' ? filter : choiceFilter(filter)] : []),
    ...(range ? [rangeFilter(range)] : []),
  ])

const choiceFilter = ({ name, word = name, phrase, words }: ChoiceFilter): CombinedFilter => ({
  by: 'combined',
  word,
  phrase,
  names: [name],
  toText: (query: Readonly<Record<string, string | null>>) =>
    words[query[name] ?? '']?.label ?? null,
})

function rangeFilter({ word, bounds, toText }: Range): CombinedFilter {
  const names = Object.keys(bounds)
  return toText ? { by: 'combined', word, names, toText } : spanFilter(word, ...names)
}

const toFilterParameters = (fields: Fields): Parameters =>
  Object.fromEntries(
    Object.values(fields).flatMap(({ filter, range }) => [
      ...(filter ? [[filter.name, filter.parameter]] : []),
      ...Object.entries(range?.bounds ?? {}).map(([name, [, parameter]]) => [name, parameter]),
    ]),
  )

function refuseEmptyRanges(
  ranges: ReturnType<typeof selectRanges>,
  values: Readonly<Record<string, unknown>>,
): Issue[] {
  return ranges.flatMap(({ bounds }) => {
    const given = bounds.filter(({ name }) => (values[name] ?? null) !== null)
    const lower = given.filter(({ operator }) => operator.startsWith('>'))
    const upper = given.filter(({ operator }) => operator.startsWith('<'))
    return upper.flatMap((end) =>
      lower.flatMap((start) => {
        const mayMeet = start.operator === '>=' && end.operator === '<='
        const width = Number(values[end.name]) - Number(values[start.name])
        if (width > 0 || (width === 0 && mayMeet)) return []
        const problem = mayMeet ? 'below' : end.isInstant ? 'not after' : 'not above'
        return [{ parameter: end.name, message: `is ${problem} ${start.name}` }]
      }),
    )
  })
}

export const selectSorted = <F extends Fields>(fields: F): Sorted<F>[] =>
  Object.keys(fields).filter((name) => fields[name]?.sort !== undefined) as Sorted<F>[]

/** Bounds of instants, from the meanings of its two parameters. */
export const span = (word: string, from: string, to: string) =>
  ({
    word,
    bounds: {
      from: ['>=', parameter.instant(from, '2024-01-01')],
      to: ['<', parameter.instant(to, '2026-01-01')],
    },
  }) as const

const isIn = ({ type, files }: Field, file: 'export' | 'database') =>
  type !== 'drawing' && (files === undefined || files.includes(file))

export const selectColumns = ({ fields }: AnyList, file: 'export' | 'database') =>
  Object.entries(fields).filter(([, field]) => isIn(field, file))

export type ExportColumnOf<L extends AnyList> = {
  [K in keyof L['fields']]: L['fields'][K] extends { type: 'drawing' } | { files: readonly [] }
    ? never
    : K
}[keyof L['fields']] &
  string

/** The columns of an export, in order. */
export const selectFieldNames = <L extends AnyList>(list: L): readonly ExportColumnOf<L>[] =>
  selectColumns(list, 'export').flatMap(([name, { dated }]) =>
    dated ? [name, toDateName(name)] : [name],
  ) as never

export const toDateName = (name: string) => `${name}_date`

/** Queries ask for the same parts of a list again and again. */
function kept<L extends Pick<AnyList, 'fields'>, R>(select: (list: L) => R): (list: L) => R {
  const known = new WeakMap<Fields, R>()
  return (list) => {
    const parts = known.get(list.fields) ?? select(list)
    known.set(list.fields, parts)
    return parts
  }
}

/** In the order of titles and chips. */
export const selectValueFilters = kept(({ fields, filters }: AnyList) =>
  sortBy(
    Object.entries(fields).flatMap(([field, { label, filter }]) =>
      filter?.by === 'values' ? [{ ...filter, field, label }] : [],
    ),
    filters.flatMap((filter) => (filter.by === 'values' ? [filter.name] : [])),
    ({ name }) => name,
  ),
)

export const selectCountedFilters = (list: AnyList) =>
  selectValueFilters(list).flatMap(({ plural, ...filter }) =>
    plural === undefined ? [] : [{ ...filter, plural }],
  )

export const selectRanges = kept(({ fields }: Pick<AnyList, 'fields'>) =>
  Object.entries(fields).flatMap(([field, { range }]) =>
    range ? [{ field, bounds: toBounds(range) }] : [],
  ),
)

const toBounds = ({ bounds }: Range) =>
  Object.entries(bounds).map(([name, [operator, parameter]]) => ({
    name,
    operator,
    isInstant: parameter.kind.type === 'instant',
  }))

/** The field that `from` and `to` bound. */
export const selectSpanField = ({ fields }: AnyList): string | null =>
  Object.keys(fields).find((name) => fields[name]?.range?.bounds.from !== undefined) ?? null

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
