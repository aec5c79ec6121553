import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Popover } from './overlays.tsx'

type HelpPopoverProps = {
  /** What the rule is about, the button's name: "How consensus is ranked". */
  name: string
  /** The rule and its source. */
  children: ReactNode
  /** Places the button, which is 24 px square, beside what it is about. */
  className?: string
}

const WIDTH_PX = 340

/** A small button that opens the rule a figure follows. */
export const HelpPopover = ({ name, children, className }: HelpPopoverProps) => (
  <Popover
    aria-label={name}
    widthPx={WIDTH_PX}
    side="roomier"
    className="max-w-[calc(100vw-1rem)] p-3 text-left text-sm font-normal tracking-normal whitespace-normal text-ink-2"
    button={{
      'aria-label': name,
      className: classNames(
        'inline-flex size-6 shrink-0 items-center justify-center text-ink-3 hover:text-ink',
        className,
      ),
      children: (
        <span
          aria-hidden
          className="flex size-3.5 items-center justify-center rounded-full border border-edge text-[0.5625rem] leading-none font-semibold"
        >
          ?
        </span>
      ),
    }}
  >
    {children}
  </Popover>
)

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
