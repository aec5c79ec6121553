import { toKeptName } from '#lib/contract/base-path.ts'

/**
 * `path` names the settings in the browser. `table` is in the default order; `hidden` are those of
 * its columns that show only when chosen.
 */
export type ColumnList<C extends string = string> = {
  path: string
  table: readonly C[]
  hidden?: readonly C[]
}

const DENSITIES = ['comfortable', 'compact'] as const
export type Density = (typeof DENSITIES)[number]

/** CSS pixels; missing columns have their default width. */
export type ColumnSizes = Readonly<Record<string, number>>

/** `order` includes hidden columns. At least one column is visible. */
export type TableSettings<C extends string = string> = {
  order: readonly C[]
  hidden: readonly C[]
  sizes: ColumnSizes
  density: Density
}

export const toDefaults = <C extends string>({
  table,
  hidden = [],
}: Pick<ColumnList<C>, 'table' | 'hidden'>): TableSettings<C> => ({
  order: table,
  hidden,
  sizes: {},
  density: 'comfortable',
})

const COOKIE = 'table'

/** Mirrors the stored settings for the server's rendering. */
export const toSettingsCookie = (path: string): string =>
  toKeptName(path === 'ratings' ? COOKIE : `${COOKIE}.${path.replaceAll('/', '.')}`)

export const isSettingsCookie = (name: string): boolean => name.startsWith(COOKIE)

export const WIDTH_MIN_PX = 44
export const WIDTH_MAX_PX = 640

const toWidth = (px: number): number =>
  Math.round(Math.min(WIDTH_MAX_PX, Math.max(WIDTH_MIN_PX, px)))

export const knownColumns = <C extends string>(
  names: readonly unknown[],
  columns: readonly C[],
): C[] => [...new Set(names.flatMap((name) => columns.find((id) => id === name) ?? []))]

/** Ignored on reading. */
const VERSION = 1

/** Invalid parts fall back to the default; missing columns come last. */
export function parseSettings<C extends string>(
  text: string,
  list: Pick<ColumnList<C>, 'table' | 'hidden'>,
): TableSettings<C> {
  try {
    const kept: unknown = JSON.parse(text)
    return typeof kept === 'object' && kept !== null ? toSettings(kept, list) : toDefaults(list)
  } catch {
    return toDefaults(list)
  }
}

type Unread = Partial<Record<keyof TableSettings, unknown>>

function toSettings<C extends string>(
  { order, hidden, sizes, density }: Unread,
  list: Pick<ColumnList<C>, 'table' | 'hidden'>,
): TableSettings<C> {
  const { table } = list
  const first = Array.isArray(order) ? knownColumns(order, table) : []
  const all = [...first, ...table.filter((id) => !first.includes(id))]
  const away = Array.isArray(hidden) ? knownColumns(hidden, table) : [...toDefaults(list).hidden]
  return {
    order: all,
    hidden: away.length < all.length ? away : away.filter((id) => id !== all[0]),
    sizes: toSizes(sizes, table),
    density: DENSITIES.find((name) => name === density) ?? toDefaults(list).density,
  }
}

export const toSizes = (sizes: unknown, columns: readonly string[]): ColumnSizes =>
  Object.fromEntries(
    Object.entries(sizes ?? {}).flatMap(([name, px]): [string, number][] =>
      columns.includes(name) && typeof px === 'number' && px >= 0 ? [[name, toWidth(px)]] : [],
    ),
  )

/** Empty for the defaults. */
export function toSettingsText<C extends string>(
  { order, hidden, sizes, density }: TableSettings<C>,
  list: Pick<ColumnList<C>, 'table'>,
): string {
  const parts: Unread = {}
  if (!isSameOrder(order, list.table)) parts.order = order
  if (!isSameSet(hidden, toDefaults(list).hidden)) parts.hidden = hidden
  if (Object.keys(sizes).length > 0) parts.sizes = sizes
  if (density !== toDefaults(list).density) parts.density = density
  return Object.keys(parts).length === 0 ? '' : JSON.stringify({ version: VERSION, ...parts })
}

export type Layout<C extends string = string> = Pick<TableSettings<C>, 'order' | 'hidden'>

/** Nothing chosen except the density. */
export const isUsual = (
  { order, hidden, sizes }: Omit<TableSettings, 'density'>,
  list: Pick<ColumnList, 'table' | 'hidden'>,
): boolean =>
  isSameOrder(order, list.table) &&
  isSameSet(hidden, toDefaults(list).hidden) &&
  Object.keys(sizes).length === 0

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  isSameOrder(some.toSorted(), others.toSorted())

const isSameOrder = (order: readonly string[], other: readonly string[]): boolean =>
  order.join() === other.join()

type Sized = { id: string; getSize: () => number }

/**
 * CSS pixels. Once a column has been resized, the last one fills the rest (null), so that edges
 * stay in place.
 */
export function toWidths(shown: readonly Sized[], sizes: ColumnSizes) {
  const own = shown.map((column) => sizes[column.id] ?? column.getSize())
  const isDrawn = shown.some(({ id }) => sizes[id] !== undefined)
  return {
    widths: own.map((px, place) => (isDrawn && place === own.length - 1 ? null : px)),
    leastPx: own.reduce((sum, px) => sum + px, 0),
  }
}
