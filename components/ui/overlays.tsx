'use client'

import {
  type ComponentProps,
  type CSSProperties,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  type ToggleEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { classNames } from './class-names.ts'

type ModalDialogProps = Omit<ComponentProps<'dialog'>, 'ref' | 'open' | 'onClose'> & {
  ref: RefObject<HTMLDialogElement | null>
  onClose: () => void
}

/** A native dialog over the page, open as long as it is mounted. Closed, it gives the focus back. */
export function ModalDialog({ ref, onClose, ...rest }: ModalDialogProps) {
  // Before it is taken out of the page: a dialog that is gone gives no focus back.
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [ref])
  return (
    <dialog
      ref={ref}
      // The event comes late: where the dialog is open again by then, nobody closed it.
      onClose={({ currentTarget }) => !currentTarget.open && onClose()}
      {...rest}
    />
  )
}

type PopoverProps = Omit<
  ComponentProps<'div'>,
  'children' | 'id' | 'popover' | 'role' | 'style'
> & {
  /** What it holds, its name. */
  'aria-label': string
  widthPx: number
  /** Under its button, right edge on right edge; or above or below it, wherever there is more room. */
  side?: 'under' | 'roomier'
  /** Where its left edge is wanted, of the one above or below (px), if not on the button's. */
  toLeftPx?: (button: HTMLElement) => number | undefined
  /** The button that opens it. */
  button: ComponentProps<'button'> & { [data: `data-${string}`]: true }
  /** What it holds; a function is asked with whether it is open, and with what closes it and gives the focus back. */
  children: ReactNode | ((isOpen: boolean, close: () => void) => ReactNode)
}

/** A button and the native popover that it opens: Escape and a click elsewhere close it, and it gives the focus back. */
export function Popover(props: PopoverProps) {
  const { widthPx, side = 'under', toLeftPx, button, children, className, ...rest } = props
  const id = useId()
  const ref = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    document.getElementById(id)?.hidePopover()
    // Not every browser gives a pressed button the focus, and so not every one gives it back.
    ref.current?.focus()
  }
  return (
    <>
      <button ref={ref} type="button" popoverTarget={id} aria-haspopup="dialog" {...button} />
      <div
        id={id}
        popover="auto"
        role="dialog"
        className={classNames(
          'inset-auto m-0 overflow-y-auto rounded-md border border-line-2 bg-surface [scrollbar-width:thin]',
          className,
        )}
        style={{ width: widthPx }}
        onBeforeToggle={({ currentTarget: { style }, newState }) => {
          if (newState !== 'open' || !ref.current) return
          const about = ref.current.getBoundingClientRect()
          if (side === 'under') placeUnder(style, about, widthPx)
          else placeWithRoom(style, about, { widthPx, leftPx: toLeftPx?.(ref.current) })
        }}
        onToggle={({ newState }) => setOpen(newState === 'open')}
        {...rest}
      >
        {typeof children === 'function' ? children(isOpen, close) : children}
      </div>
    </>
  )
}

// The anchors of CSS would do it too, where every browser had all of them: Firefox 153 and WebKit 2.50 have a part.
const MARGIN_PX = 8
const GAP_PX = 4

/** Under the button, right edge on right edge, within the window. */
function placeUnder(style: CSSStyleDeclaration, about: DOMRect, widthPx: number) {
  const most = document.documentElement.clientWidth - widthPx - MARGIN_PX
  style.right = `${within(document.documentElement.clientWidth - about.right, most)}px`
  style.top = `${about.bottom + GAP_PX}px`
  style.maxHeight = `${window.innerHeight - about.bottom - GAP_PX - MARGIN_PX}px`
}

type Beside = { widthPx: number; leftPx: number | undefined }

/** Above or below the button, wherever there is more room, so that none of it lies beyond the window. */
function placeWithRoom(style: CSSStyleDeclaration, about: DOMRect, { widthPx, leftPx }: Beside) {
  const most = document.documentElement.clientWidth - widthPx - MARGIN_PX
  const below = window.innerHeight - about.bottom
  const isAbove = about.top > below
  style.left = `${within(leftPx ?? about.left, most)}px`
  style.top = isAbove ? 'auto' : `${about.bottom + GAP_PX}px`
  style.bottom = isAbove ? `${window.innerHeight - about.top + GAP_PX}px` : 'auto'
  style.maxHeight = `${Math.max(about.top, below) - GAP_PX - MARGIN_PX}px`
}

type Box = Pick<DOMRect, 'left' | 'top' | 'bottom' | 'width' | 'height'>
type Size = { width: number; height: number }

/** Where a card stands for what it is about, in pixels of the window: below it, else above, and always in sight. */
export function toCardPlace(about: Box, card: Size, sight: Size): { left: number; top: number } {
  const below = about.bottom + GAP_PX
  const above = about.top - GAP_PX - card.height
  const fitsBelow = below + card.height <= sight.height - MARGIN_PX
  const top = fitsBelow || above < MARGIN_PX ? below : above
  return {
    left: within(about.left, sight.width - card.width - MARGIN_PX),
    top: within(top, sight.height - card.height - MARGIN_PX),
  }
}

/** Is any of it in sight? */
export const isInSight = ({ top, bottom }: Pick<DOMRect, 'top' | 'bottom'>, height: number) =>
  bottom > 0 && top < height

const within = (place: number, most: number) => Math.max(MARGIN_PX, Math.min(place, most))

type PopoverPanelOptions = {
  /** What it opens under, right edge on right edge. */
  anchor: RefObject<HTMLElement | null>
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

const PANEL_GAP_PX = 6

/**
 * A native popover under a button that the page opens otherwise too, and that it follows: Escape and a click elsewhere close it, and it gives the focus back. What is
 * returned are the attributes of its element, which places itself by `--panel-top` and `--panel-right`. What has
 * `data-first` gets the focus, else the radio button that is chosen.
 */
export function usePopoverPanel({ anchor, isOpen, onOpen }: PopoverPanelOptions) {
  const panel = useRef<HTMLDivElement>(null)
  const [corner, setCorner] = useState({ top: 0, right: 0 })

  useEffect(() => {
    const element = panel.current
    if (!element) return
    const place = () => {
      const rect = anchor.current?.getBoundingClientRect()
      if (!rect) return
      const width = document.documentElement.clientWidth
      setCorner({ top: rect.bottom + PANEL_GAP_PX, right: Math.max(MARGIN_PX, width - rect.right) })
    }
    if (!isOpen) {
      if (element.matches(':popover-open')) element.hidePopover()
      return
    }
    place()
    if (!element.matches(':popover-open')) element.showPopover()
    element.querySelector<HTMLElement>('[data-first], input:checked')?.focus()
    const leaving = new AbortController()
    const { signal } = leaving
    window.addEventListener('resize', place, { signal })
    window.addEventListener('scroll', place, { signal, capture: true, passive: true })
    return () => leaving.abort()
  }, [anchor, isOpen])

  return {
    ref: panel,
    popover: 'auto',
    onToggle: ({ newState }: ToggleEvent) => {
      if (newState === 'closed') onOpen(false)
    },
    style: {
      '--panel-top': `${corner.top}px`,
      '--panel-right': `${corner.right}px`,
    } as CSSProperties,
  } as const
}

/**
 * Opens and closes a native popover by a button outside it. A press elsewhere closes the popover, and the button is
 * elsewhere: what counts is what was there when the press began.
 */
export function usePressToggle(isOpen: boolean, setOpen: (isOpen: boolean) => void) {
  const openAtPress = useRef(false)
  return {
    onPointerDown: () => {
      openAtPress.current = isOpen
    },
    toggle: ({ detail }: Pick<MouseEvent, 'detail'>) =>
      setOpen(detail === 0 ? !isOpen : !openAtPress.current),
  }
}
