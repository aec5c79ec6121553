import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** One fact. The term is text and names the row. */
export type Fact = { term: string; detail: ReactNode }

/** Terms and what is known of them, one a line. */
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
