'use client'

import {
  type ComponentProps,
  type CSSProperties,
  type FocusEvent,
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

export function ModalDialog({ ref, onClose, ...rest }: ModalDialogProps) {
  // Closes before removal: a removed dialog does not return the focus.
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [ref])
  return (
    <dialog
      ref={ref}
      // Asynchronous; the dialog may be open again.
      onClose={({ currentTarget }) => !currentTarget.open && onClose()}
      {...rest}
    />
  )
}

type PopoverProps = Omit<
  ComponentProps<'div'>,
  'children' | 'id' | 'popover' | 'role' | 'style'
> & {
  'aria-label': string
  widthPx: number
  side?: 'under' | 'roomier'
  /** Pixels; by default the button's left edge. */
  toLeftPx?: (button: HTMLElement) => number | undefined
  button: ComponentProps<'button'> & { [data: `data-${string}`]: true }
  children: ReactNode | ((isOpen: boolean, close: () => void) => ReactNode)
}

/** Whether the focus moved to something outside `parts`; not if the window lost it. */
const hasLeft = ({ relatedTarget }: FocusEvent, parts: readonly (HTMLElement | null)[]) =>
  relatedTarget instanceof Node && !parts.some((part) => part?.contains(relatedTarget))

export function Popover(props: PopoverProps) {
  const { widthPx, side = 'under', toLeftPx, button, children, className, ...rest } = props
  const id = useId()
  const ref = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const onBlur = (event: FocusEvent) => {
    const popover = document.getElementById(id)
    if (hasLeft(event, [popover, ref.current])) popover?.hidePopover()
  }
  const close = () => {
    document.getElementById(id)?.hidePopover()
    // Some browsers do not focus a clicked button, so they could not return the focus to it.
    ref.current?.focus()
  }
  return (
    <>
      <button
        ref={ref}
        type="button"
        popoverTarget={id}
        aria-haspopup="dialog"
        onBlur={onBlur}
        {...button}
      />
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
        onBlur={onBlur}
        onToggle={({ newState }) => setOpen(newState === 'open')}
        {...rest}
      >
        {typeof children === 'function' ? children(isOpen, close) : children}
      </div>
    </>
  )
}

// CSS anchor positioning is incomplete in Firefox 153 and WebKit 2.50.
const MARGIN_PX = 8
const GAP_PX = 4

function placeUnder(style: CSSStyleDeclaration, about: DOMRect, widthPx: number) {
  const most = document.documentElement.clientWidth - widthPx - MARGIN_PX
  style.right = `${within(document.documentElement.clientWidth - about.right, most)}px`
  style.top = `${about.bottom + GAP_PX}px`
  style.maxHeight = `${window.innerHeight - about.bottom - GAP_PX - MARGIN_PX}px`
}

type SidePosition = { widthPx: number; leftPx: number | undefined }

function placeWithRoom(
  style: CSSStyleDeclaration,
  about: DOMRect,
  { widthPx, leftPx }: SidePosition,
) {
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

/** Window pixels. */
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

const within = (place: number, most: number) => Math.max(MARGIN_PX, Math.min(place, most))

type PopoverPanelOptions = {
  anchor: RefObject<HTMLElement | null>
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

const PANEL_GAP_PX = 6

/**
 * Returns the attributes of the popover, which positions itself with `--panel-top` and
 * `--panel-right`. `data-first` receives the focus.
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
    onBlur: (event: FocusEvent) => {
      if (hasLeft(event, [panel.current, anchor.current])) onOpen(false)
    },
    onToggle: ({ newState }: ToggleEvent) => {
      if (newState === 'closed') onOpen(false)
    },
    style: {
      '--panel-top': `${corner.top}px`,
      '--panel-right': `${corner.right}px`,
    } as CSSProperties,
  } as const
}

/** An outside press closes the popover before the click, so the state at the press counts. */
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
