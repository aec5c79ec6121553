import { COLUMN_IDS, type ColumnId, isColumnId, knownColumns } from './column-facts.ts'

export const DENSITIES = ['comfortable', 'compact'] as const
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
export const SETTINGS_COOKIE = 'table'

export const WIDTH_MIN_PX = 44
export const WIDTH_MAX_PX = 640

export const toWidth = (px: number): number =>
  Math.round(Math.min(WIDTH_MAX_PX, Math.max(WIDTH_MIN_PX, px)))

/** Written with the settings. A reader of another version takes the parts that it understands. */
const VERSION = 1

/**
 * The settings in a text that was kept, whoever wrote it: each part that cannot be read is as a newcomer finds it.
 * A column that the text does not know yet stands at the end. Before there were versions, the text was the names of
 * the hidden columns, separated by commas.
 */
export function parseSettings(text: string): TableSettings {
  if (/^[a-z_,]+$/.test(text)) return toSettings({ hidden: text.split(',') })
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

function toSizes(sizes: unknown): ColumnSizes {
  const known: Partial<Record<ColumnId, number>> = {}
  for (const [name, px] of Object.entries(sizes ?? {})) {
    if (isColumnId(name) && typeof px === 'number' && px > 0) known[name] = toWidth(px)
  }
  return known
}

/** The text that keeps the settings: what is as a newcomer finds it is left out, and all of it where all is. */
export function toSettingsText({ order, hidden, sizes, density }: TableSettings): string {
  const parts: Unread = {}
  if (order.join() !== COLUMN_IDS.join()) parts.order = order
  if (hidden.length > 0) parts.hidden = hidden
  if (Object.keys(sizes).length > 0) parts.sizes = sizes
  if (density !== DEFAULT_SETTINGS.density) parts.density = density
  return Object.keys(parts).length === 0 ? '' : JSON.stringify({ version: VERSION, ...parts })
}
