import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

type PanelProps = { title: string; action?: ReactNode; children: ReactNode }

export function Panel({ title, action, children }: PanelProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2 pt-2">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="text-lg">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}

type CardProps = {
  id: string
  title: string
  detail?: ReactNode
  action?: ReactNode
  children?: ReactNode
  className?: string
}

export function Card({ id, title, detail, action, children, className }: CardProps) {
  return (
    <section
      aria-labelledby={id}
      className={classNames(
        'flex min-w-0 flex-col gap-3 rounded-lg border bg-surface p-5 [&_p:not(.flex)]:max-w-text',
        className,
      )}
    >
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 id={id} className="text-base">
          {title}
        </h2>
        {detail !== undefined && <p className="min-w-0 text-ink-3">{detail}</p>}
        {action !== undefined && <span className="ml-auto">{action}</span>}
      </div>
      {children}
    </section>
  )
}

export type Stat = { term: string; figure: ReactNode; detail?: ReactNode }

export function StatStrip({ stats }: { stats: readonly Stat[] }) {
  return (
    <dl className="when-whole grid grid-cols-2 gap-x-6 gap-y-3 border-y py-2.5 sm:grid-cols-3 lg:flex lg:gap-x-0">
      {stats.map(({ term, figure, detail }, index) => (
        <div
          key={term}
          data-last={index === stats.length - 1 || undefined}
          className="flex min-w-0 flex-col lg:min-w-min lg:border-r lg:px-4 lg:first:pl-0 xl:px-6 xl:[&_dt]:whitespace-nowrap lg:last:border-r-0"
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

export type Fact = { term: string; detail: ReactNode }

export function Facts({ rows, className }: { rows: readonly Fact[]; className?: string }) {
  return (
    <dl
      className={classNames(
        'grid grid-cols-[minmax(5.5rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1.5',
        className,
      )}
    >
      {rows.map(({ term, detail }) => (
        <div key={term} className="contents">
          <dt className="text-ink-3">{term}</dt>
          <dd className="min-w-0 wrap-anywhere">{detail}</dd>
        </div>
      ))}
    </dl>
  )
}
