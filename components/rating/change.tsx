import type { ReactNode } from 'react'
import { classNames } from '#components/ui/class-names.ts'

type ChangeProps = {
  /** What was there before, as text; null where nothing was, or the same. */
  before: string | null
  /** What is there now. */
  children: ReactNode
  /** Numbers stand at the right. */
  isEnd?: boolean
  className?: string
}

/**
 * Before → after on one line. Where there is no room for both, what was before steps back: it wraps to a second line
 * below, which is cut off, and stays in the title and for screen readers.
 */
export function Change({ before, children, isEnd = false, className }: ChangeProps) {
  return (
    <span
      title={before === null ? undefined : `Before: ${before}`}
      className={classNames(
        'flex h-5 flex-wrap-reverse content-end items-baseline gap-x-1 overflow-hidden whitespace-nowrap',
        isEnd && 'justify-end',
        className,
      )}
    >
      {before !== null && (
        <span className="relative text-sm leading-5 text-ink-3">
          {before} <span aria-hidden>→</span>
          <span className="sr-only"> to </span>
        </span>
      )}
      {children}
    </span>
  )
}
