import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type NoticeTone = 'info' | 'warning' | 'failure'

type NoticeProps = {
  tone?: NoticeTone
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
  className?: string
}

const TONES: Record<NoticeTone, { mark: string; frame: string; ink: string; word: string }> = {
  info: { mark: 'i', frame: 'border-line-2', ink: 'text-accent', word: 'Note' },
  warning: { mark: '!', frame: 'border-rating-2', ink: 'text-rating-text-2', word: 'Warning' },
  failure: { mark: '×', frame: 'border-rating-1', ink: 'text-rating-text-1', word: 'Failure' },
}

export function Notice({ tone = 'info', title, children, action, className }: NoticeProps) {
  const { mark, frame, ink, word } = TONES[tone]
  return (
    <div
      role={tone === 'failure' ? 'alert' : 'status'}
      className={classNames(
        'relative flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border bg-surface px-3.5 py-2.5',
        frame,
        className,
      )}
    >
      <span
        aria-hidden
        className={classNames(
          'flex size-4.5 shrink-0 items-center justify-center self-start rounded-full border border-current text-xs font-semibold',
          ink,
        )}
      >
        {mark}
      </span>
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-semibold">
          <span className="sr-only">{word}: </span>
          {title}
        </p>
        {children !== undefined && <div className="text-ink-2">{children}</div>}
      </div>
      {action}
    </div>
  )
}

type EmptyStateProps = {
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
  className?: string
}

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

/** Keep it mounted: a region that appears together with its text is not announced. */
export function LiveRegion({
  message,
  urgent = false,
}: {
  message: string
  /** Interrupts the screen reader. */
  urgent?: boolean
}) {
  return (
    <div
      role={urgent ? 'alert' : 'status'}
      aria-live={urgent ? 'assertive' : 'polite'}
      aria-atomic="true"
      className="sr-only"
    >
      {message}
    </div>
  )
}
