import { Layer, Rectangle, Surface, Symbols } from 'recharts'

export type TermPictureName = 'prediction' | 'active' | 'expiry' | 'consensus'

export function TermPicture({ name }: { name: TermPictureName }) {
  if (name === 'prediction') return <PredictionPicture />
  if (name === 'consensus') return <ConsensusPicture />
  return <ActivePicture ends={name === 'active' ? 'replaced' : 'expires'} />
}

const SIZE = { width: 240, height: 64, viewBox: { x: 0, y: 0, width: 240, height: 64 } }
const TEXT = { className: 'fill-ink-2 text-[11px]' }

type DotProps = { x: number; y: number; colour: string }

const Dot = ({ x, y, colour }: DotProps) => <Symbols cx={x} cy={y} fill={colour} size={55} />

const PredictionPicture = () => (
  <Surface {...SIZE} aria-label="A prediction of plus 12.5 percent" role="img" style={WIDE}>
    <line className="stroke-line-2" x1={10} x2={230} y1={38} y2={38} />
    <line className="stroke-ink-3" x1={120} x2={120} y1={30} y2={46} />
    <Rectangle fill="var(--rating-4)" height={8} width={62} x={120} y={34} />
    <text {...TEXT} textAnchor="middle" x={182} y={24}>
      +12.50%
    </text>
    <text {...TEXT} textAnchor="middle" x={120} y={60}>
      today’s price
    </text>
  </Surface>
)

const WIDE = { width: '100%', height: 'auto', maxWidth: 300 }

function ActivePicture({ ends }: { ends: 'replaced' | 'expires' }) {
  const isReplaced = ends === 'replaced'
  return (
    <Surface
      {...SIZE}
      aria-label={
        isReplaced
          ? 'A Hold counts until the same user posts a Moderate Buy'
          : 'A Moderate Buy counts until the day on which it expires'
      }
      role="img"
      style={WIDE}
    >
      <line className="stroke-line-2" x1={10} x2={230} y1={48} y2={48} />
      {isReplaced && (
        <Layer>
          <Rectangle fill="var(--rating-3)" height={8} width={84} x={20} y={32} />
          <Dot colour="var(--rating-3)" x={20} y={36} />
          <text {...TEXT} x={14} y={22}>
            Hold
          </text>
        </Layer>
      )}
      <Layer>
        <Rectangle
          fill="var(--rating-4)"
          height={8}
          width={isReplaced ? 110 : 130}
          x={104}
          y={32}
        />
        <Dot colour="var(--rating-4)" x={104} y={36} />
        <text {...TEXT} x={98} y={22}>
          Moderate Buy
        </text>
      </Layer>
      {!isReplaced && (
        <Layer>
          <line className="stroke-ink" x1={234} x2={234} y1={26} y2={54} />
          <text {...TEXT} textAnchor="end" x={236} y={22}>
            expires
          </text>
        </Layer>
      )}
    </Surface>
  )
}

const ConsensusPicture = () => (
  <Surface
    {...SIZE}
    aria-label="Seven ratings between 2 and 5; their mean is 3.71"
    role="img"
    style={WIDE}
  >
    <line className="stroke-line-2" x1={20} x2={220} y1={44} y2={44} />
    {[1, 2, 3, 4, 5].map((step) => (
      <text key={step} {...TEXT} textAnchor="middle" x={toX(step)} y={60}>
        {step}
      </text>
    ))}
    {RATINGS.map(([rating, place]) => (
      <Dot
        key={`${rating}.${place}`}
        colour={`var(--rating-${rating})`}
        x={toX(rating)}
        y={38 - place * 9}
      />
    ))}
    <line className="stroke-ink" strokeWidth={1.5} x1={toX(3.71)} x2={toX(3.71)} y1={10} y2={48} />
    <text {...TEXT} className="fill-ink text-[11px] font-semibold" x={toX(3.71) - 30} y={20}>
      3.71
    </text>
  </Surface>
)

const RATINGS = [
  [2, 0],
  [3, 0],
  [3, 1],
  [4, 0],
  [4, 1],
  [5, 0],
  [5, 1],
] as const

const toX = (rating: number): number => 20 + (rating - 1) * 50
