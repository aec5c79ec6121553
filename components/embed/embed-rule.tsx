import type { ReactNode } from 'react'

type EmbedRuleProps = {
  rule: ReactNode
  /** What stands above it, as the key to a chart. */
  children?: ReactNode
}

/** Below a chart in the frame of another page: what is drawn, on a click. */
export const EmbedRule = ({ rule, children }: EmbedRuleProps) => (
  <details className="text-sm text-ink-3">
    <summary className="w-fit cursor-pointer hover:text-ink">
      What is drawn, and by which rule
    </summary>
    {children}
    <p className="max-w-[100ch] pt-1">{rule}</p>
  </details>
)
