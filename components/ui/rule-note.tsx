import type { ReactNode } from 'react'
import { HelpPopover } from './help-popover.tsx'

type RuleNoteProps = {
  /** What the note is about, for the button's name: "dispersion". */
  about: string
  children: ReactNode
}

/** Beside a figure: what it means, its rule and where that comes from. */
export const RuleNote = ({ about, children }: RuleNoteProps) => (
  <HelpPopover className="-my-1 self-center" name={`About ${about}`}>
    {children}
  </HelpPopover>
)
