import type { IncomingHttpHeaders } from 'node:http'
import { cookies, headers } from 'next/headers'
import {
  type ColumnList,
  isSettingsCookie,
  parseSettings,
  toSettingsCookie,
  toSettingsText,
} from '#components/list/columns/column-settings.ts'
import type { SettingsCookies } from '#components/list/columns/first-settings.tsx'
import { RATINGS_TABLE } from '#components/ratings/table/columns.ts'
import { callList } from '#lib/contract/lists/calls.ts'
import { LISTS } from '#lib/contract/lists/lists.ts'
import { RANKED_TABLE, userList } from '#lib/contract/lists/users.ts'
import { processEnv } from '#lib/server/environment/env.ts'
import { MAY, readMay } from '#lib/server/gate/callers.ts'
import { isHttps, readForwardedProto } from '#lib/server/gate/request-policy.ts'
import type { Reader } from '#lib/server/pages/cached-pages.ts'

const LONGEST_COOKIES = 8192

/**
 * Pages are cached by these headers and shared between readers: a page may depend on nothing else.
 */
export function createPageReader(): (headers: IncomingHttpHeaders, path: string) => Reader {
  return (given, path) => {
    const known: Record<string, string> = { host: given.host ?? '' }
    const vary: string[] = []
    const may = given[MAY]
    if (typeof may === 'string') {
      known[MAY] = may
      vary.push('Cookie')
    }
    if (isHttps(readForwardedProto(given))) known['x-forwarded-proto'] = 'https'
    const table = findTable(path)
    if (table) {
      if (!vary.includes('Cookie')) vary.push('Cookie')
      const name = toSettingsCookie(table.path)
      const settings = readSettings(given.cookie ?? '', { name, table })
      if (settings !== '') known.cookie = `${name}=${encodeURIComponent(settings)}`
    }
    return { headers: known, vary }
  }
}

const TABLES = new Map<string, ColumnList>([
  ['/', RATINGS_TABLE],
  ...LISTS.flatMap((list): [string, ColumnList][] => (list.page ? [[list.page.path, list]] : [])),
  [userList.page.path, { path: userList.path, table: RANKED_TABLE }],
])

/** The table on a page whose columns a reader chooses. */
const findTable = (path: string): ColumnList | undefined =>
  TABLES.get(path) ?? (/^\/users\/-?\d+$/.test(path) ? callList : undefined)

type SettingsCookie = { name: string; table: ColumnList }

/** Normalized, so that equivalent cookies share a page. */
function readSettings(cookies: string, { name, table }: SettingsCookie): string {
  if (cookies.length > LONGEST_COOKIES) return ''
  const start = `${name}=`
  const found = cookies.split(';').findLast((part) => part.trim().startsWith(start))
  if (found === undefined) return ''
  try {
    const text = decodeURIComponent(found.trim().slice(start.length))
    return toSettingsText(parseSettings(text, table), table)
  } catch {
    return ''
  }
}

/** By cookie name: of the page's table alone, see `createPageReader`. */
export async function readTableSettings(): Promise<SettingsCookies> {
  const settings = (await cookies()).getAll().filter(({ name }) => isSettingsCookie(name))
  return Object.fromEntries(settings.map(({ name, value }) => [name, value]))
}

export async function readPermissions() {
  const parsed = processEnv()
  const signsIn = parsed.ok && parsed.env.access.mode !== 'open'
  return { may: readMay((await headers()).get(MAY)), signsIn }
}
