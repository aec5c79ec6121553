import { toKeptName } from '#lib/contract/base-path.ts'

/** What is known of a column without drawing it. */
type ColumnFact = {
  label: string
  /** The width that a reader finds: what its values need. A wider table shares what is left in proportion. */
  widthPx: number
  isNumeric?: boolean
  /** A first click on its heading puts the least on top. */
  isLeastFirst?: boolean
}

/**
 * The columns of the ratings table, in the order a newcomer finds; their names are those of the fields they sort by. All
 * of them fit beside the filters from 1280 px on, a scroll bar included.
 */
export const COLUMN_FACTS = {
  symbol: { label: 'Symbol', widthPx: 62, isLeastFirst: true },
  user_id: { label: 'User', widthPx: 52, isNumeric: true, isLeastFirst: true },
  rating: { label: 'Rating', widthPx: 202 },
  action: { label: 'Action', widthPx: 107, isLeastFirst: true },
  prediction: { label: 'Prediction', widthPx: 130, isNumeric: true },
  tally_agree: { label: 'Agree', widthPx: 64, isNumeric: true },
  tally_disagree: { label: 'Disagree', widthPx: 60, isNumeric: true },
  tally_comment: { label: 'Comments', widthPx: 72, isNumeric: true },
  created_at: { label: 'Posted', widthPx: 134 },
  expired_at: { label: 'Expires', widthPx: 68, isNumeric: true, isLeastFirst: true },
  id: { label: 'ID', widthPx: 70, isNumeric: true },
} as const satisfies Record<string, ColumnFact>

export type ColumnId = keyof typeof COLUMN_FACTS

/** What is known of a column. */
export const columnFact = (id: ColumnId): ColumnFact => COLUMN_FACTS[id]

/** Their names, in the order a newcomer finds. */
export const COLUMN_IDS = Object.keys(COLUMN_FACTS).filter(isColumnId)

export function isColumnId(name: string): name is ColumnId {
  return Object.hasOwn(COLUMN_FACTS, name)
}

/** The known ones among some names, each once, in the order given. */
export const knownColumns = (names: readonly unknown[]): ColumnId[] => [
  ...new Set(names.filter((name) => typeof name === 'string').filter(isColumnId)),
]

const DENSITIES = ['comfortable', 'compact'] as const
export type Density = (typeof DENSITIES)[number]

/** Widths of columns in CSS pixels; a column without one has its own. */
export type ColumnSizes = Readonly<Partial<Record<ColumnId, number>>>

/** How a reader likes the table. `order` holds every column, those that are hidden too; one at least is not. */
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

/** Repeats what the browser keeps, so that the server's first paint has the reader's columns and nothing jumps. */
export const SETTINGS_COOKIE = toKeptName('table')

export const WIDTH_MIN_PX = 44
export const WIDTH_MAX_PX = 640

export const toWidth = (px: number): number =>
  Math.round(Math.min(WIDTH_MAX_PX, Math.max(WIDTH_MIN_PX, px)))

/** Written with the settings. A reader takes the parts that it understands of any version. */
const VERSION = 1

/**
 * Reads settings from the browser or a cookie. A part that cannot be read has its default; a column that the text does not name comes
 * last.
 */
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

/** Widths as they are kept: whole pixels within bounds, of columns that there are. */
export function toSizes(sizes: unknown): ColumnSizes {
  const known: Partial<Record<ColumnId, number>> = {}
  for (const [name, px] of Object.entries(sizes ?? {})) {
    if (isColumnId(name) && typeof px === 'number' && px > 0) known[name] = toWidth(px)
  }
  return known
}

/** The text that keeps the settings: what is as a newcomer finds it is left out, and all of it where all is. */
export function toSettingsText({ order, hidden, sizes, density }: TableSettings): string {
  const parts: Unread = {}
  if (!isDefaultOrder(order)) parts.order = order
  if (hidden.length > 0) parts.hidden = hidden
  if (Object.keys(sizes).length > 0) parts.sizes = sizes
  if (density !== DEFAULT_SETTINGS.density) parts.density = density
  return Object.keys(parts).length === 0 ? '' : JSON.stringify({ version: VERSION, ...parts })
}

/** Which columns are shown and in which order; `order` holds the hidden ones too. */
export type Layout = Pick<TableSettings, 'order' | 'hidden'>

/** What the page shows: the columns that the address names, where it names any that there are, or the reader's own. */
export function toLayout(settings: Layout, named: readonly string[]): Layout {
  const shown = knownColumns(named)
  if (shown.length === 0) return settings
  const hidden = settings.order.filter((id) => !shown.includes(id))
  return { order: [...shown, ...hidden], hidden }
}

export const shownColumns = ({ order, hidden }: Layout): ColumnId[] =>
  order.filter((id) => !hidden.includes(id))

/** The order with a column at another place among the others; beyond an end it stands at that end. */
export function withColumnAt(order: readonly ColumnId[], id: ColumnId, place: number): ColumnId[] {
  const rest = order.filter((other) => other !== id)
  const to = Math.max(0, place)
  return [...rest.slice(0, to), id, ...rest.slice(to)]
}

/** Is it what a newcomer finds? */
export const isDefaultOrder = (order: readonly ColumnId[]): boolean =>
  order.join() === COLUMN_IDS.join()

/** In the first column stands what selects the row, before its value. */
const CHECK_PX = 14

/** The width that a column has by itself. */
export const ownWidth = (id: ColumnId, isFirst: boolean): number =>
  COLUMN_FACTS[id].widthPx + (isFirst ? CHECK_PX : 0)

/** What is asked of a column of the table. */
type Sized = { id: string; getSize: () => number }

/**
 * The widths of the columns that are shown, in CSS pixels, and the least width of the table. As a newcomer finds them
 * they share a wider table in proportion; once a reader has drawn one, each keeps its own, so that an edge stays where
 * it was put, and the last one takes what is left: it is `null` then.
 */
export function toWidths(shown: readonly Sized[], sizes: Readonly<Record<string, number>>) {
  const own = shown.map((column) => sizes[column.id] ?? column.getSize())
  const isDrawn = shown.some(({ id }) => sizes[id] !== undefined)
  return {
    widths: own.map((px, place) => (isDrawn && place === own.length - 1 ? null : px)),
    leastPx: own.reduce((sum, px) => sum + px, 0),
  }
}
