import { formatConsensus, formatCounted } from '#components/format/numbers.ts'
import { toSignedText } from '#components/marks/consensus-change.tsx'
import { ratingStyle } from '#components/marks/rating-marks.tsx'
import type { MapCell } from '#lib/contract/answers/symbols.ts'
import { ratingLabel } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import type { MapColor } from './map-view.ts'

/** 1 to 5, as the labels; null without a change. */
type MapStep = 1 | 2 | 3 | 4 | 5 | null

const SLIGHT = 0.05
const LARGE = 0.25

const STEPS = [1, 2, 3, 4, 5] as const

const toCode = (consensus: string) => Math.floor(Number(consensus) + 0.5)

export function toStep({ consensus, change }: MapCell, color: MapColor): MapStep {
  if (color === 'consensus') {
    return STEPS[Math.max(1, Math.min(5, toCode(consensus))) - 1] ?? null
  }
  if (change === null) return null
  const isUp = Number(change) > 0
  const size = toShownSize(change)
  if (size < SLIGHT) return 3
  if (size < LARGE) return isUp ? 4 : 2
  return isUp ? 5 : 1
}

/** Two decimals, as displayed. */
const toShownSize = (change: string) => Math.round(100 * Math.abs(Number(change))) / 100

const CHANGE_WORDS = [
  `−${LARGE} or less`,
  `−${SLIGHT} to −${LARGE}`,
  `less than ${SLIGHT}`,
  `+${SLIGHT} to +${LARGE}`,
  `+${LARGE} or more`,
] as const

type LegendItem = { step: MapStep; text: string; glyph: string }

export function toLegend(color: MapColor, cells: readonly MapCell[]): LegendItem[] {
  const steps = STEPS.map((step) => ({
    step,
    text: color === 'consensus' ? ratingLabel(step) : (CHANGE_WORDS[step - 1] ?? ''),
    glyph: ratingStyle(step).glyph,
  }))
  const hasUnknown = cells.some((cell) => toStep(cell, color) === null)
  return hasUnknown ? [...steps, { step: null, text: 'too few ratings', glyph: '' }] : steps
}

export function toCellValue(cell: MapCell, color: MapColor): string {
  if (color === 'consensus') return formatConsensus(cell.consensus)
  return cell.change === null ? '–' : toSignedText(cell.change)
}

/** `AAPL, Amber Acorn Software: consensus 3.82, Moderate Buy, 240 active ratings` */
export function toCellReading(cell: MapCell, days: string): string {
  const { symbol, name, consensus, change, active } = cell
  const title = [symbol, ...(name === null ? [] : [name])].map(toVisibleText).join(', ')
  const label = ratingLabel(toCode(consensus))
  const moved = change === null ? '' : `, ${toSignedText(change)} in ${days} days`
  return `${title}: consensus ${formatConsensus(consensus)}, ${label}${moved}, ${formatCounted(active, 'active rating')}`
}

type MapGroup = { sector: string | null; children: readonly MapCell[] }

/** Null if no cell has a sector. Largest first; the group without a sector is last. */
export function toGroups(cells: readonly MapCell[]): MapGroup[] | null {
  const groups = new Map<string | null, MapCell[]>()
  for (const cell of cells) {
    const group = groups.get(cell.sector)
    if (group) group.push(cell)
    else groups.set(cell.sector, [cell])
  }
  if ([...groups.keys()].every((sector) => sector === null)) return null
  const sizeOf = (group: MapGroup) => group.children.reduce((sum, { active }) => sum + active, 0)
  return [...groups]
    .map(([sector, children]) => ({ sector, children }))
    .sort((a, b) => Number(a.sector === null) - Number(b.sector === null) || sizeOf(b) - sizeOf(a))
}

export type Rect = Record<'x' | 'y' | 'width' | 'height', number>

/** Room for a heading on top: the rest of the group is drawn lower and flatter. */
export function toBelowHeading(of: Rect, group: Rect, headingPx: number): Rect {
  const scale = group.height === 0 ? 0 : (group.height - headingPx) / group.height
  return {
    x: of.x,
    width: of.width,
    y: group.y + headingPx + (of.y - group.y) * scale,
    height: of.height * scale,
  }
}

const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
} as const

const isArrow = (key: string): key is keyof typeof ARROWS => Object.hasOwn(ARROWS, key)

const SIDEWAYS = 3

/** The nearest index in the direction of an arrow key; null if there is none. */
export function toNeighbor(rects: readonly Rect[], from: number, key: string): number | null {
  const start = rects[from]
  if (!isArrow(key) || start === undefined) return null
  const [dx, dy] = ARROWS[key]
  const centerOf = ({ x, y, width, height }: Rect) => [x + width / 2, y + height / 2] as const
  const [x, y] = centerOf(start)
  let nearest: { index: number; distance: number } | null = null
  for (const [index, rect] of rects.entries()) {
    const [rx, ry] = centerOf(rect)
    const along = (rx - x) * dx + (ry - y) * dy
    if (index === from || along <= 0) continue
    const aside = Math.abs((rx - x) * dy) + Math.abs((ry - y) * dx)
    const distance = along + SIDEWAYS * aside
    if (nearest === null || distance < nearest.distance) nearest = { index, distance }
  }
  return nearest?.index ?? null
}
