import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type EmptyStateProps = {
  /** What is not there: "No rating matches". */
  title: ReactNode
  /** Why, and what would change it. */
  children?: ReactNode
  /** The one click that changes it. */
  action?: ReactNode
  className?: string
}

/** Stands where rows would stand. */
export function EmptyState({ title, children, action, className }: EmptyStateProps) {
  return (
    <div
      className={classNames(
        'flex flex-col items-center gap-2 px-6 py-14 text-center text-balance',
        className,
      )}
    >
      <p className="text-lg font-semibold tracking-tight">{title}</p>
      {children !== undefined && <div className="max-w-[52ch] text-ink-3">{children}</div>}
      {action !== undefined && <div className="mt-2 flex flex-wrap gap-2">{action}</div>}
    </div>
  )
}
