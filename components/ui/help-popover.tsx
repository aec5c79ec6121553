import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Popover } from './overlays.tsx'

type HelpPopoverProps = {
  name: string
  children: ReactNode
  className?: string
}

const WIDTH_PX = 340

const HelpPopover = ({ name, children, className }: HelpPopoverProps) => (
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
    <div className="flex flex-col gap-2">{children}</div>
  </Popover>
)

type RuleNoteProps = {
  about: string
  children: ReactNode
}

export const RuleNote = ({ about, children }: RuleNoteProps) => (
  <HelpPopover className="-my-1 self-center" name={`About ${about}`}>
    {children}
  </HelpPopover>
)

const BEHIND_HEADING = '-mr-6 -mb-1.5 align-bottom'

export const RulePopover = ({ className = BEHIND_HEADING, ...rule }: HelpPopoverProps) => (
  <HelpPopover className={className} {...rule} />
)
