'use client'

import { type ComponentType, useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  isPageKey,
  type Shortcut,
  toShortcut,
  useCommandKey,
} from '#components/ui/keyboard-shortcuts.ts'
import { openPageAction } from './page-actions.ts'
import type { PaletteDialogProps } from './palette-dialog.tsx'

const EXAMPLE = 'symbol:AAPL rating:4,5'

export function SearchButton() {
  const { load, open, dialog } = usePaletteDialog()
  const command = useCommandKey()
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={`Search, or filter by ${EXAMPLE}`}
        aria-keyshortcuts="/ Control+K Meta+K"
        onPointerEnter={load}
        onFocus={load}
        onClick={() => open('type')}
        className="search-button"
      >
        <Lens />
        <span className="whitespace-nowrap max-lg:hidden">
          Search<span className="max-wide:hidden"> symbols, users, help…</span>
        </span>
        <kbd aria-hidden className="search-key">
          {command}K
        </kbd>
      </button>
      {dialog}
    </>
  )
}

const Lens = () => (
  <svg
    viewBox="0 0 16 16"
    className="size-3.5 shrink-0"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    aria-hidden
  >
    <circle cx="7" cy="7" r="4.6" />
    <path d="m10.5 10.5 3.5 3.5" />
  </svg>
)

type Dialog = ComponentType<PaletteDialogProps>

/** `null`: loading failed; the next use retries. */
function usePaletteDialog() {
  const [opened, setOpened] = useState<Shortcut | null>(null)
  const [loaded, setLoaded] = useState<{ Dialog: Dialog | null }>()
  const typed = useRef('')
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
    if (opened === null && isPageKey(event, 'e')) return openPageAction('export')
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
  const toDialog = () => {
    if (opened === null || Dialog === undefined) return null
    if (Dialog === null) return <LoadFailure />
    return (
      <Dialog how={opened} typed={typed.current} onClose={() => setOpened(null)} onOpen={open} />
    )
  }
  return { load, open, dialog: toDialog() }
}

const LoadFailure = () => (
  <p
    role="alert"
    className="fixed top-14 right-4 z-30 rounded-md border border-line-2 bg-surface px-3 py-2"
  >
    The search could not be loaded. Try again.
  </p>
)
