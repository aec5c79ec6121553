import { cookies } from 'next/headers'
import {
  type ColumnList,
  isSettingsCookie,
  parseSettings,
  toSettingsCookie,
  toSettingsText,
} from '#components/list/columns/column-settings.ts'
import type { SettingsCookies } from '#components/list/columns/table-settings.tsx'
import { RATINGS_TABLE } from '#components/ratings/table/columns.ts'
import { callList } from '#lib/contract/lists/calls.ts'
import { LISTS } from '#lib/contract/lists/lists.ts'
import { RANKED_TABLE, userList } from '#lib/contract/lists/users.ts'

/** The column settings of the table at `path`, as a `Cookie` header. Null: there is no table. */
export function selectPageSettings(path: string, sent: string): { cookie: string } | null {
  const table = selectTable(path)
  if (!table) return null
  const name = toSettingsCookie(table.path)
  const settings = readSettings(sent, { name, table })
  return { cookie: settings === '' ? '' : `${name}=${encodeURIComponent(settings)}` }
}

const TABLES = new Map<string, ColumnList>([
  ['/', RATINGS_TABLE],
  ...LISTS.flatMap((list): [string, ColumnList][] => (list.page ? [[list.page.path, list]] : [])),
  [userList.page.path, { path: userList.path, table: RANKED_TABLE }],
])

const selectTable = (path: string): ColumnList | undefined =>
  TABLES.get(path) ?? (/^\/users\/-?\d+$/.test(path) ? callList : undefined)

type SettingsCookie = { name: string; table: ColumnList }

/** Normalized, so that equivalent cookies share a page. */
function readSettings(sent: string, { name, table }: SettingsCookie): string {
  const start = `${name}=`
  if (!sent.includes(start)) return ''
  const found = sent.split(';').findLast((part) => part.trim().startsWith(start))
  if (found === undefined) return ''
  try {
    const text = decodeURIComponent(found.trim().slice(start.length))
    return toSettingsText(parseSettings(text, table), table)
  } catch {
    return ''
  }
}

/** By cookie name: of the page's table alone, see {@link selectPageSettings}. */
export async function readTableSettings(): Promise<SettingsCookies> {
  const settings = (await cookies()).getAll().filter(({ name }) => isSettingsCookie(name))
  return Object.fromEntries(settings.map(({ name, value }) => [name, value]))
}
