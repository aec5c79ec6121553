'use client'

import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactNode } from 'react'

type TooltipProps = {
  anchor: NonNullable<Base.Positioner.Props['anchor']>
  children: ReactNode
}

/** Visible while mounted. Hidden from screen readers. */
export const Tooltip = ({ anchor, children }: TooltipProps) => (
  <Base.Root open>
    <Base.Portal>
      <Base.Positioner
        anchor={anchor}
        sideOffset={12}
        collisionPadding={8}
        className="pointer-events-none z-50"
      >
        <Base.Popup aria-hidden className="popup px-2.5 py-2 text-sm text-ink-2">
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)
