import { toKeptName } from '#lib/contract/base-path.ts'

type ColumnFact = {
  label: string
  widthPx: number
  isNumeric?: boolean
  isLeastFirst?: boolean
}

/**
 * In the default order; keys are sort fields. The widths must fit from a window width of 1280 px
 * on.
 */
export const COLUMN_FACTS = {
  symbol: { label: 'Symbol', widthPx: 62, isLeastFirst: true },
  user_id: { label: 'User', widthPx: 52, isNumeric: true, isLeastFirst: true },
  rating: { label: 'Rating', widthPx: 202 },
  action: { label: 'Action', widthPx: 107, isLeastFirst: true },
  prediction: { label: 'Prediction', widthPx: 130, isNumeric: true },
  tally_agree: { label: 'Agree', widthPx: 64, isNumeric: true },
  tally_disagree: { label: 'Disagree', widthPx: 60, isNumeric: true },
  tally_comment: { label: 'Comments', widthPx: 70, isNumeric: true },
  created_at: { label: 'Posted', widthPx: 132 },
  expired_at: { label: 'Expires', widthPx: 68, isNumeric: true, isLeastFirst: true },
  id: { label: 'ID', widthPx: 67, isNumeric: true },
} as const satisfies Record<string, ColumnFact>

export type ColumnId = keyof typeof COLUMN_FACTS

export const columnFact = (id: ColumnId): ColumnFact => COLUMN_FACTS[id]

export const COLUMN_IDS = Object.keys(COLUMN_FACTS).filter(isColumnId)

export function isColumnId(name: string): name is ColumnId {
  return Object.hasOwn(COLUMN_FACTS, name)
}

export const knownColumns = (names: readonly unknown[]): ColumnId[] => [
  ...new Set(names.filter((name) => typeof name === 'string').filter(isColumnId)),
]

const DENSITIES = ['comfortable', 'compact'] as const
export type Density = (typeof DENSITIES)[number]

/** CSS pixels; missing columns have their default width. */
export type ColumnSizes = Readonly<Partial<Record<ColumnId, number>>>

/** `order` includes hidden columns. At least one column is visible. */
export type TableSettings = {
  order: readonly ColumnId[]
  hidden: readonly ColumnId[]
  sizes: ColumnSizes
  density: Density
}

export const DEFAULT_SETTINGS: TableSettings = {
  order: COLUMN_IDS,
  hidden: [],
  sizes: {},
  density: 'comfortable',
}

/** Mirrors the stored settings for the server's rendering. */
export const SETTINGS_COOKIE = toKeptName('table')

export const WIDTH_MIN_PX = 44
export const WIDTH_MAX_PX = 640

export const toWidth = (px: number): number =>
  Math.round(Math.min(WIDTH_MAX_PX, Math.max(WIDTH_MIN_PX, px)))

/** Ignored on reading. */
const VERSION = 1

/** Invalid parts fall back to the default; missing columns come last. */
export function parseSettings(text: string): TableSettings {
  try {
    const kept: unknown = JSON.parse(text)
    return typeof kept === 'object' && kept !== null ? toSettings(kept) : DEFAULT_SETTINGS
  } catch {
    return DEFAULT_SETTINGS
  }
}

type Unread = Partial<Record<keyof TableSettings, unknown>>

function toSettings({ order, hidden, sizes, density }: Unread): TableSettings {
  const first = Array.isArray(order) ? knownColumns(order) : []
  const all = [...first, ...COLUMN_IDS.filter((id) => !first.includes(id))]
  const away = Array.isArray(hidden) ? knownColumns(hidden) : []
  return {
    order: all,
    hidden: away.length < all.length ? away : away.filter((id) => id !== all[0]),
    sizes: toSizes(sizes),
    density: DENSITIES.find((name) => name === density) ?? DEFAULT_SETTINGS.density,
  }
}

export function toSizes(sizes: unknown): ColumnSizes {
  const known: Partial<Record<ColumnId, number>> = {}
  for (const [name, px] of Object.entries(sizes ?? {})) {
    if (isColumnId(name) && typeof px === 'number' && px > 0) known[name] = toWidth(px)
  }
  return known
}

/** Empty for the defaults. */
export function toSettingsText({ order, hidden, sizes, density }: TableSettings): string {
  const parts: Unread = {}
  if (!isDefaultOrder(order)) parts.order = order
  if (hidden.length > 0) parts.hidden = hidden
  if (Object.keys(sizes).length > 0) parts.sizes = sizes
  if (density !== DEFAULT_SETTINGS.density) parts.density = density
  return Object.keys(parts).length === 0 ? '' : JSON.stringify({ version: VERSION, ...parts })
}

export type Layout = Pick<TableSettings, 'order' | 'hidden'>

export function toLayout(settings: Layout, named: readonly string[]): Layout {
  const shown = knownColumns(named)
  if (shown.length === 0) return settings
  const hidden = settings.order.filter((id) => !shown.includes(id))
  return { order: [...shown, ...hidden], hidden }
}

export const shownColumns = ({ order, hidden }: Layout): ColumnId[] =>
  order.filter((id) => !hidden.includes(id))

export function withColumnAt(order: readonly ColumnId[], id: ColumnId, place: number): ColumnId[] {
  const rest = order.filter((other) => other !== id)
  const to = Math.max(0, place)
  return [...rest.slice(0, to), id, ...rest.slice(to)]
}

/** In a narrow window some of the columns of a reader who has chosen none are hidden. */
export const isUsual = ({ order, hidden, sizes }: Omit<TableSettings, 'density'>): boolean =>
  isDefaultOrder(order) && hidden.length === 0 && Object.keys(sizes).length === 0

export const isDefaultOrder = (order: readonly ColumnId[]): boolean =>
  order.join() === COLUMN_IDS.join()

const CHECK_PX = 14

export const ownWidth = (id: ColumnId, isFirst: boolean): number =>
  COLUMN_FACTS[id].widthPx + (isFirst ? CHECK_PX : 0)

type Sized = { id: string; getSize: () => number }

/**
 * CSS pixels. Once a column has been resized, the last one fills the rest (null), so that edges
 * stay in place.
 */
export function toWidths(shown: readonly Sized[], sizes: Readonly<Record<string, number>>) {
  const own = shown.map((column) => sizes[column.id] ?? column.getSize())
  const isDrawn = shown.some(({ id }) => sizes[id] !== undefined)
  return {
    widths: own.map((px, place) => (isDrawn && place === own.length - 1 ? null : px)),
    leastPx: own.reduce((sum, px) => sum + px, 0),
  }
}
