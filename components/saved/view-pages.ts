import {
  createFilterReader,
  selectFilters,
  toFilterPhrase,
} from '#components/format/filter-words.ts'
import { asofQuery } from '#lib/contract/api-queries.ts'
import type { Issue } from '#lib/contract/faults.ts'
import type { WordedFilter } from '#lib/contract/filter-words.ts'
import { LISTS } from '#lib/contract/lists/lists.ts'
import { rankedUsersQuery, userList } from '#lib/contract/lists/users.ts'
import {
  type Parameters,
  type QuerySchema,
  readLeniently,
  toParams,
  toQueryText,
  type ValuesOf,
} from '#lib/contract/query-schema.ts'
import { RATINGS_PAGE } from '#lib/contract/ratings-view.ts'

type Schema = Pick<QuerySchema<Parameters>, 'parameters' | 'order'> & {
  // Method syntax, for bivariant parameters.
  refuse(values: ValuesOf<Parameters>): readonly Issue[]
}

/** A page whose address can be saved. */
type ViewPage = {
  path: string
  title: string
  one: string
  filters: readonly WordedFilter[]
  query: Schema
}

/** The order of users depends on prices. With this query, the address always states it. */
const QUERIES: Readonly<Partial<Record<string, Schema>>> = {
  [userList.page.path]: rankedUsersQuery,
}

const LIST_PAGES: readonly ViewPage[] = LISTS.flatMap(({ page, one, filters, query }) =>
  page ? [{ ...page, one, filters, query: QUERIES[page.path] ?? query }] : [],
)

/** The page of a view's address. Addresses of ratings have no path. */
export const findViewPage = (address: string): ViewPage =>
  LIST_PAGES.find(({ path }) => address === path || address.startsWith(`${path}?`)) ?? RATINGS_PAGE

export const isOfRatings = (address: string): boolean => findViewPage(address) === RATINGS_PAGE

function toParamsOf(address: string): URLSearchParams {
  const page = findViewPage(address)
  const params = new URLSearchParams(
    page === RATINGS_PAGE ? address : address.slice(page.path.length),
  )
  // Older views hold a display zone, now a setting.
  params.delete('tz')
  return params
}

export function toViewAddress(
  { path, query: schema }: ViewPage,
  query: Readonly<Record<string, unknown>>,
): string {
  const text = toQueryText(toParams(schema, { ...query, page: 1, open: null }))
  return path === RATINGS_PAGE.path ? text.slice(1) : path + text
}

const canonical = new Map<string, string>()
const CANONICAL_MAX = 1000

/** Ignores unreadable parameters. */
export function toCanonicalAddress(address: string): string {
  const known = canonical.get(address)
  if (known !== undefined) return known
  const page = findViewPage(address)
  const text = toViewAddress(page, readLeniently(page.query, toParamsOf(address)).query)
  if (canonical.size >= CANONICAL_MAX) canonical.clear()
  canonical.set(address, text)
  return text
}

/** Adds `asof` (seconds since 1970; null is now) if the page takes it and the view has none. */
export function toViewHref(address: string, asof: number | null = null): string {
  const { path, query } = findViewPage(address)
  const params = toParamsOf(address)
  const isKept = params.has('asof') || !('asof' in query.parameters)
  return path + toQueryText(isKept ? params : toParams(asofQuery, { asof }, params))
}

export function toViewWords(address: string, zone?: string): string {
  const page = findViewPage(address)
  const { query } = readLeniently(page.query, toParamsOf(address))
  const filters = selectFilters(page, query, createFilterReader(zone))
  const words = toFilterPhrase(filters, ' · ') || `Every ${page.one}`
  return page === RATINGS_PAGE ? words : `${page.title} · ${words}`
}
