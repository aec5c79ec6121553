import type { ReactNode } from 'react'

/** One figure: what it is, the figure, and what it is of. */
export type Stat = { term: string; figure: ReactNode; detail?: ReactNode }

/** The few figures that a page is about, between two hairlines. They wrap where there is no room. */
export function StatStrip({ stats }: { stats: readonly Stat[] }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 border-y py-3.5 sm:flex sm:flex-wrap sm:gap-x-0 sm:gap-y-3">
      {stats.map(({ term, figure, detail }) => (
        <div
          key={term}
          className="flex flex-col gap-0.5 sm:border-r sm:pr-6 sm:pl-6 sm:first:pl-0 sm:last:border-r-0"
        >
          <dt className="text-sm text-ink-3">{term}</dt>
          <dd className="flex flex-wrap items-baseline gap-x-2">
            <span className="text-xl font-semibold tracking-tight">{figure}</span>
            {detail !== undefined && <span className="text-sm text-ink-3">{detail}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
