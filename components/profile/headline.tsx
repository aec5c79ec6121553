import type { ReactNode } from 'react'

export type HeadlineItem = {
  term: string
  value: ReactNode
  /** Stands beside the value in small: n, the range, who. */
  detail?: ReactNode
}

/** What matters most about a symbol or a user, in large figures on one line where there is room. */
export function Headline({ items }: { items: readonly HeadlineItem[] }) {
  return (
    <dl className="grid grid-cols-2 border-y lg:flex">
      {items.map(({ term, value, detail }) => (
        <div
          key={term}
          className="min-w-0 py-2.5 pr-6 lg:border-r lg:pl-6 lg:first:pl-0 lg:last:border-r-0"
        >
          <dt className="text-sm text-ink-3">{term}</dt>
          <dd className="flex flex-wrap items-baseline gap-x-1.5">
            <span className="text-xl font-semibold tracking-tight">{value}</span>
            {detail !== undefined && <span className="text-sm text-ink-3">{detail}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
