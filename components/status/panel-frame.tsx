import type { ReactNode } from 'react'
import { classNames } from '#components/ui/class-names.ts'

type StatusPanelProps = {
  /** Also the anchor that the page can be opened at. */
  id: string
  title: string
  /** What the figures below it are, in a line. */
  detail?: ReactNode
  action?: ReactNode
  children: ReactNode
  className?: string
}

/** One matter of the status: its name, what it is about, the facts. */
export function StatusPanel({ id, title, detail, action, children, className }: StatusPanelProps) {
  return (
    <section
      aria-labelledby={id}
      className={classNames(
        'flex min-w-0 flex-col gap-3 rounded-lg border bg-surface p-5',
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
