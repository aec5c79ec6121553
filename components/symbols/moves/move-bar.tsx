import { Rectangle, Surface } from 'recharts'
import type { Waterfall } from './waterfall.ts'

const SCALE = 1000
/** Must match `waterfall.css`. */
const BAR_PX = 22

type MoveBarProps = Pick<Waterfall, 'ticks'> & {
  /** 0 to 1. */
  left: number
  right: number
  /** Null without a bar. */
  fill: string | null
}

export const MoveBar = ({ left, right, ticks, fill }: MoveBarProps) => (
  <Surface
    height={BAR_PX}
    preserveAspectRatio="none"
    role="presentation"
    viewBox={{ x: 0, y: 0, width: SCALE, height: BAR_PX }}
    width="100%"
  >
    {ticks.map(({ mean, at }) => (
      <Rectangle key={mean} className="fill-line" height={BAR_PX} width={1} x={at * SCALE} y={0} />
    ))}
    {fill !== null && (
      <Rectangle
        className={fill}
        height={BAR_PX - 8}
        width={Math.max((right - left) * SCALE, 3)}
        x={left * SCALE}
        y={4}
      />
    )}
  </Surface>
)
