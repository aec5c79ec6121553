import type { ReactNode } from 'react'
import { classNames } from '#components/ui/class-names.ts'

/** The house's margins around a page without a rail. `className` may set a greatest width. */
export function PageBody({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div
      className={classNames(
        'flex w-full min-w-0 flex-col gap-4 px-4 py-4 sm:px-7 sm:py-5',
        className,
      )}
    >
      {children}
    </div>
  )
}
