import type { ReactNode } from 'react'
import { formatCount } from '#components/format/numbers.ts'
import { AsOfLink } from '#components/time/as-of.tsx'
import type { Counted } from '#lib/contract/answers/envelope.ts'
import { RatingMark, ratingStyle } from './rating-marks.tsx'

type DistributionBar = {
  key: number
  label: ReactNode
  count: number
  fill: string
  href: string
}

type DistributionProps = {
  title: string
  bars: readonly DistributionBar[]
  /** Count of a full-length bar. */
  longest?: number
}

export function Distribution({ title, bars, longest = 1 }: DistributionProps) {
  const most = Math.max(1, longest, ...bars.map((bar) => bar.count))
  const [sole, ...others] = bars.filter(({ count }) => count > 0)
  if (sole && others.length === 0) return <Sole bar={sole} title={title} />
  return (
    <div>
      <h3 className="pb-1.5 text-sm">{title}</h3>
      <ul aria-label={title} className="distribution">
        {bars.map(({ key, label, count, fill, href }) => (
          <li key={key}>
            <AsOfLink href={href}>
              {label}
              <span
                aria-hidden
                className={count > 0 ? fill : undefined}
                style={{ width: `${(100 * count) / most}%` }}
              />
              {formatCount(count)}
            </AsOfLink>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Sole({ title, bar: { label, count, href } }: { title: string; bar: DistributionBar }) {
  return (
    <div>
      <h3 className="pb-1.5 text-sm">{title}</h3>
      <p className="flex flex-wrap items-center gap-x-2">
        {count === 1 ? 'The only one is' : `All ${formatCount(count)} are`}
        <AsOfLink className="inline-flex min-h-6.5 items-center hover:underline" href={href}>
          {label}
        </AsOfLink>
      </p>
    </div>
  )
}

type Coded = Pick<Counted, 'value' | 'count'> & { label?: string }

export const toRatingBars = (
  counts: readonly Coded[],
  hrefFor: (code: number) => string,
): DistributionBar[] =>
  [...counts]
    .sort((a, b) => b.value - a.value)
    .map(({ value, label, count }) => ({
      key: value,
      label: <RatingMark aligned code={value} label={label} />,
      count,
      fill: ratingStyle(value).fill,
      href: hrefFor(value),
    }))
