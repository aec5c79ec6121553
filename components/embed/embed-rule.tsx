import type { ReactNode } from 'react'

/** Below a chart in the frame of another page: what is drawn, on a click. */
export const EmbedRule = ({ children }: { children: ReactNode }) => (
  <details className="text-sm text-ink-3">
    <summary className="w-fit cursor-pointer hover:text-ink">
      What is drawn, and by which rule
    </summary>
    <p className="max-w-[100ch] pt-1">{children}</p>
  </details>
)
