import type { ReactNode } from 'react'
import { RulePopover as Rule } from '#components/ui/rule-popover.tsx'

type RulePopoverProps = {
  /** What the rule is about, the button's name: "How consensus is ranked". */
  name: string
  /** The rule and its source. */
  children: ReactNode
  /** Where its button stands, if not behind a heading. */
  className?: string
}

const BEHIND_HEADING = '-mr-6 -mb-1.5 align-bottom'

/**
 * The rule behind a column's heading. Its button hangs over the space at the right, so that the heading still ends
 * where its numbers do.
 */
export const RulePopover = ({ name, children, className }: RulePopoverProps) => (
  <Rule className={className ?? BEHIND_HEADING} name={name}>
    {children}
  </Rule>
)
