import { toTimeTicks } from '#components/charts/time-ticks.ts'

const MOST_TICKS = 8

export function TimeTicks({ from, to }: { from: number; to: number }) {
  return (
    <div aria-hidden className="relative mt-1 h-4 border-t text-xs text-ink-3">
      {toTimeTicks(from, to, MOST_TICKS).map(({ at, label }) => {
        const share = (at - from) / (to - from)
        return (
          <span
            key={at}
            className="absolute top-0.5 whitespace-nowrap"
            style={{ left: `${share * 100}%`, translate: `${-share * 100}%` }}
          >
            {label}
          </span>
        )
      })}
    </div>
  )
}
