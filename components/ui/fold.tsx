import { type ReactNode, useId, useState } from 'react'
import { classNames } from './class-names.ts'

type FoldProps = { title: ReactNode; children: ReactNode; className?: string; isOpen?: boolean }

export const Fold = ({ title, children, className, isOpen }: FoldProps) => (
  <details className={classNames('min-w-0', className)} open={isOpen}>
    <summary className="w-fit py-1 text-sm font-medium text-ink-3 hover:text-ink pointer-coarse:py-3">
      {title}
    </summary>
    {children}
  </details>
)

export function FoldedPanel({ title, isOpen = false, children }: FoldProps) {
  const id = useId()
  const [open] = useState(isOpen)
  return (
    <section aria-labelledby={id} className="min-w-0 border-t pt-2">
      <details open={open}>
        <summary className="w-fit py-1 text-ink-2 hover:text-ink pointer-coarse:py-2.5">
          <h2 className="inline text-lg" id={id}>
            {title}
          </h2>
        </summary>
        <div className="flex min-w-0 flex-col gap-2 pt-2">{children}</div>
      </details>
    </section>
  )
}
