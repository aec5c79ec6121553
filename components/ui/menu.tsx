'use client'

import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'

type PopupProps = Pick<Base.Positioner.Props, 'anchor' | 'sideOffset'> &
  Pick<Base.Popup.Props, 'ref' | 'finalFocus'> & { label: string; children: ReactNode }

const Popup = ({ ref, label, finalFocus, children, ...position }: PopupProps) => (
  <Base.Portal>
    <Base.Positioner align="start" collisionPadding={8} className="z-50" {...position}>
      <Base.Popup ref={ref} aria-label={label} finalFocus={finalFocus} className="popup menu">
        {children}
      </Base.Popup>
    </Base.Positioner>
  </Base.Portal>
)

export type MenuAnchor = NonNullable<Base.Positioner.Props['anchor']>

type MenuProps = Omit<PopupProps, 'ref' | 'sideOffset'> & { onClose: () => void }

/** Open while it is mounted. */
export const Menu = ({ onClose, ...popup }: MenuProps) => (
  <Base.Root open modal={false} onOpenChange={(isOpen) => !isOpen && onClose()}>
    <Popup ref={focusFirstItem} sideOffset={4} {...popup} />
  </Base.Root>
)

function focusFirstItem(popup: HTMLElement | null) {
  const item = popup?.querySelector<HTMLElement>('[role=menuitem]')
  // Once the items are registered; a menu with an active item keeps the focus there.
  queueMicrotask(() => item?.focus({ preventScroll: true }))
}

type SubmenuProps = { label: string; detail?: string; children: ReactNode }

export const Submenu = ({ label, detail, children }: SubmenuProps) => (
  <Base.SubmenuRoot>
    <Base.SubmenuTrigger className="menu-item">
      <span className="truncate">{label}</span>
      {detail && <span className="menu-detail">{detail}</span>}
      <span aria-hidden className={detail ? 'pl-1.5 text-ink-3' : 'menu-detail'}>
        ›
      </span>
    </Base.SubmenuTrigger>
    <Popup label={label}>{children}</Popup>
  </Base.SubmenuRoot>
)

type MenuItemProps = { label: string; shortcut?: string; onSelect: () => void }

export const MenuItem = ({ label, shortcut, onSelect }: MenuItemProps) => (
  <Base.Item className="menu-item" onClick={onSelect}>
    <span className="truncate">{label}</span>
    {shortcut && <span className="menu-detail pointer-coarse:hidden">{shortcut}</span>}
  </Base.Item>
)

export const MenuLink = ({ link }: { link: ReactElement }) => (
  <Base.LinkItem className="menu-item" closeOnClick render={link} />
)

export const MenuSeparator = () => <Base.Separator className="my-1 border-t" />
