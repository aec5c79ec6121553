import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export function PageBody({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div
      className={classNames(
        'flex w-full min-w-0 flex-col gap-4 px-(--gutter) py-4 sm:py-5',
        className,
      )}
    >
      {children}
    </div>
  )
}

type PageHeaderProps = {
  title: ReactNode
  detail?: ReactNode
  actions?: ReactNode
  isDimmed?: boolean
  children?: ReactNode
}

export function PageHeader({ title, detail, actions, isDimmed, children }: PageHeaderProps) {
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-2 md:flex-nowrap">
      <div
        aria-busy={isDimmed}
        className={classNames(
          'flex min-h-9 min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5',
          isDimmed && 'dimmed',
        )}
      >
        <h1 className="text-xl">{title}</h1>
        {detail !== undefined && <div className="min-w-0 text-ink-3">{detail}</div>}
        {children}
      </div>
      {actions !== undefined && (
        <div className="when-whole flex min-h-9 shrink-0 flex-wrap items-center gap-2 max-sm:w-full sm:ml-auto">
          {actions}
          <span data-last hidden />
        </div>
      )}
    </div>
  )
}
