'use client'

import {
  type ComponentType,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { type Shortcut, toShortcut, useCommandKey } from '#components/ui/keyboard-shortcuts.ts'
import type { PaletteDialogProps } from './palette-dialog.tsx'

type SearchTriggerProps = {
  className: string
  /** Of the key that opens it, at its end. */
  keyClassName: string
  /** Of the button that lists the keys. */
  keysClassName: string
  /** Stands there where the palette could not be loaded. */
  failure: ReactNode
  children: ReactNode
}

type Dialog = ComponentType<PaletteDialogProps>

/**
 * Opens the palette, and listens for the keys that open it from anywhere. It is loaded when somebody is about to use
 * it; what is typed until then belongs into its field. `null` is a load that failed: the next one tries again.
 */
export function SearchTrigger(props: SearchTriggerProps) {
  const { className, keyClassName, keysClassName, failure, children } = props
  const [opened, setOpened] = useState<Shortcut | null>(null)
  const [loaded, setLoaded] = useState<{ Dialog: Dialog | null }>()
  const typed = useRef('')
  const command = useCommandKey()
  const Dialog = loaded?.Dialog
  const load = () => {
    if (Dialog) return
    import('./palette-dialog.tsx').then(
      ({ PaletteDialog }) => setLoaded({ Dialog: PaletteDialog }),
      () => setLoaded({ Dialog: null }),
    )
  }
  const open = (how: Shortcut) => {
    typed.current = ''
    setOpened(how)
    load()
  }
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const shortcut = toShortcut(event)
    const { key } = event
    if (shortcut === null) {
      const isLetter = key.length === 1 && !event.ctrlKey && !event.metaKey
      if (opened === null || loaded || !isLetter || event.isComposing) return
      typed.current += key
    } else if (opened === null || !Dialog) open(shortcut)
    else if (shortcut === 'jump') setOpened(null)
    event.preventDefault()
  })
  useEffect(() => {
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="/ Control+K Meta+K"
        onPointerEnter={load}
        onFocus={load}
        onClick={() => open('type')}
        className={className}
      >
        {children}
        <kbd aria-hidden className={keyClassName}>
          {command}K
        </kbd>
      </button>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="?"
        aria-label="Keys"
        title="Keys (?)"
        onPointerEnter={load}
        onFocus={load}
        onClick={() => open('keys')}
        className={keysClassName}
      >
        ?
      </button>
      {opened && Dialog === null && failure}
      {opened && Dialog && (
        <Dialog how={opened} typed={typed.current} onClose={() => setOpened(null)} onOpen={open} />
      )}
    </>
  )
}
