type LineShape = 'dot' | 'square' | 'triangle' | 'diamond' | 'cross' | 'ring'

/** How a symbol's line is told from the others: by its colour (CSS), its dashes (SVG) and its marks together. */
export type LineLook = { colour: string; dashes: string | undefined; shape: LineShape }

const LOOKS: readonly LineLook[] = [
  { colour: 'var(--compared-1)', dashes: undefined, shape: 'dot' },
  { colour: 'var(--compared-2)', dashes: '7 3', shape: 'square' },
  { colour: 'var(--compared-3)', dashes: '2 2.5', shape: 'triangle' },
  { colour: 'var(--compared-4)', dashes: '10 3 2 3', shape: 'diamond' },
  { colour: 'var(--compared-5)', dashes: '4 3', shape: 'cross' },
  { colour: 'var(--compared-6)', dashes: '12 4', shape: 'ring' },
]

const FIRST: LineLook = { colour: 'var(--compared-1)', dashes: undefined, shape: 'dot' }

/** The look of the symbol at a place among those asked for; the page's own is the first. */
export const lineLook = (place: number): LineLook => LOOKS[place % LOOKS.length] ?? FIRST

const PATHS: Readonly<Record<LineShape, string>> = {
  dot: 'm-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z',
  square: 'm-3-3h6v6h-6z',
  triangle: 'm0-4l4 7h-8z',
  diamond: 'm0-4.5l4.5 4.5l-4.5 4.5l-4.5-4.5z',
  cross: 'm-3.5-3.5l7 7m0-7l-7 7',
  ring: 'm-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z',
}

/** The path of a mark around a place in pixels. Crosses are drawn by their stroke, rings on the ground's colour. */
export const markPath = (shape: LineShape, { x, y }: { x: number; y: number }): string =>
  `M${x.toFixed(1)} ${y.toFixed(1)}${PATHS[shape]}`

export const markFill = ({ shape, colour }: LineLook): string =>
  shape === 'cross' ? 'none' : shape === 'ring' ? 'var(--surface)' : colour
