import type { ReactNode } from 'react'

/** One figure: what it is, the figure, and what it is of. */
export type Stat = { term: string; figure: ReactNode; detail?: ReactNode }

/** The few figures that a page is about, between two hairlines. They wrap where there is no room. */
export function StatStrip({ stats }: { stats: readonly Stat[] }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 border-y py-2.5 sm:grid-cols-3 lg:flex lg:gap-x-0">
      {stats.map(({ term, figure, detail }) => (
        <div
          key={term}
          className="flex min-w-0 flex-col lg:border-r lg:px-4 lg:first:pl-0 lg:first:[&_dt]:whitespace-nowrap xl:px-6 xl:[&_dt]:whitespace-nowrap lg:last:border-r-0"
        >
          <dt className="text-sm text-ink-3">{term}</dt>
          <dd className="flex flex-wrap items-baseline gap-x-1.5">
            <span className="text-xl font-semibold tracking-tight">{figure}</span>
            {detail !== undefined && <span className="text-sm text-ink-3">{detail}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
