import type { CSSProperties } from 'react'
import { classNames } from '#components/ui/class-names.ts'

export type Mark = 'line' | 'dashes' | 'faint' | 'dot' | 'block' | 'tick' | 'dotted'

type LegendMarkProps = { mark: Mark; colour?: CSSProperties['color'] }

/** A piece of what something is drawn in, beside its name. */
export const LegendMark = ({ mark, colour = 'var(--ink)' }: LegendMarkProps) => (
  <span
    aria-hidden
    className={classNames('shrink-0 forced-color-adjust-none', LOOKS[mark])}
    style={{ color: colour }}
  />
)

const LOOKS: Readonly<Record<Mark, string>> = {
  line: 'w-4 border-t-2 border-current',
  dashes: 'w-4 border-t-2 border-dashed border-current',
  faint: 'w-4 border-t border-current opacity-60',
  dot: 'size-1.5 rounded-full bg-current',
  block: 'h-2.5 w-2 bg-current',
  tick: 'h-1.5 border-l border-current',
  dotted: 'h-3 border-l border-dotted border-current',
}
