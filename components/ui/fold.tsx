import type { ReactNode } from 'react'

type FoldProps = { title: ReactNode; children: ReactNode }

/** What most readers pass by, one click away. Opens without scripts. */
export const Fold = ({ title, children }: FoldProps) => (
  <details className="min-w-0">
    <summary className="w-fit py-1 text-sm font-medium text-ink-3 hover:text-ink pointer-coarse:py-3">
      {title}
    </summary>
    {children}
  </details>
)
