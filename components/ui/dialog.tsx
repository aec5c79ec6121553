'use client'

import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'

type ModalProps = Pick<Base.Popup.Props, 'ref' | 'aria-label' | 'initialFocus' | 'finalFocus'> & {
  onClose: () => void
  /** A press outside does not close it, so that no input is lost. */
  isForm?: boolean
  className: string
  children: ReactNode
}

const Modal = ({ onClose, isForm = false, className, ...popup }: ModalProps) => (
  <Base.Root
    open
    disablePointerDismissal={isForm}
    onOpenChange={(_, { reason, event, cancel }) => {
      // Escape in a changed field takes back the change.
      if (reason === 'escape-key' && event.defaultPrevented) cancel()
      else onClose()
    }}
  >
    <Base.Portal>
      <Base.Backdrop className="fixed inset-0 z-50 bg-black/40" />
      <Base.Popup
        className={classNames('fixed z-50 flex flex-col text-ink outline-none', className)}
        {...popup}
      />
    </Base.Portal>
  </Base.Root>
)

type DialogProps = Pick<ModalProps, 'onClose' | 'finalFocus' | 'children'> & { title: string }

/** Open while it is mounted. */
export const Dialog = ({ title, children, ...rest }: DialogProps) => (
  <Modal
    {...rest}
    isForm
    className="inset-x-0 top-1/2 mx-auto max-h-[min(92dvh,760px)] w-[min(600px,calc(100vw-24px))] -translate-y-1/2 rounded-lg border border-line-2 bg-paper"
  >
    <div className="flex items-center gap-2 border-b px-4 py-3">
      <Base.Title className="grow text-lg">{title}</Base.Title>
      <Base.Close render={<Button variant="quiet">Close</Button>} />
    </div>
    {children}
  </Modal>
)

type DrawerProps = Omit<ModalProps, 'aria-label'> & { label: string }

/** As high as the window; open while it is mounted. */
export const Drawer = ({ label, className, ...rest }: DrawerProps) => (
  <Modal aria-label={label} className={classNames('inset-y-0 left-0', className)} {...rest} />
)
