import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type FoldProps = { title: ReactNode; children: ReactNode; className?: string }

/** What most readers pass by, one click away. Opens without scripts. */
export const Fold = ({ title, children, className }: FoldProps) => (
  <details className={classNames('min-w-0', className)}>
    <summary className="w-fit py-1 text-sm font-medium text-ink-3 hover:text-ink pointer-coarse:py-3">
      {title}
    </summary>
    {children}
  </details>
)
