'use client'

import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'

type PopoverProps = {
  label: string
  /** The button that opens it. */
  trigger: ReactElement
  side?: Base.Positioner.Props['side']
  align?: Base.Positioner.Props['align']
  open?: boolean
  onOpenChange?: (open: boolean) => void
  className?: string
  children: ReactNode
}

/** Its children are mounted while it is open. */
export const Popover = ({ label, trigger, className, children, ...rest }: PopoverProps) => (
  <Base.Root open={rest.open} onOpenChange={rest.onOpenChange}>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner
        side={rest.side}
        align={rest.align ?? 'end'}
        sideOffset={4}
        collisionPadding={8}
        collisionAvoidance={{ fallbackAxisSide: 'none' }}
        className="z-50"
      >
        <Base.Popup aria-label={label} className={classNames('popup', className)}>
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)

export const PopoverClose = () => (
  <Base.Close
    render={
      <Button aria-label="Close the menu" className="ml-auto" size="small" variant="quiet">
        ×
      </Button>
    }
  />
)

type HelpPopoverProps = { label: string; children: ReactNode }

/** A question mark that explains what stands before it. */
export const HelpPopover = ({ label, children }: HelpPopoverProps) => (
  <Popover
    label={label}
    align="start"
    className="flex w-85 flex-col gap-2 p-3 text-sm text-ink-2"
    trigger={
      <button type="button" aria-label={label} className="help-button">
        <span aria-hidden>?</span>
      </button>
    }
  >
    {children}
  </Popover>
)
