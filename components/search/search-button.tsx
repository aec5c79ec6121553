'use client'

import { type ComponentType, useEffect, useEffectEvent, useRef, useState } from 'react'
import { SearchIcon } from '#components/ui/icons.tsx'
import { toShortcut, useCommandKey } from '#components/ui/keyboard-shortcuts.ts'
import type { SearchDialogProps, SearchPart } from './search-dialog.tsx'

export function SearchButton() {
  const command = useCommandKey()
  const [Dialog, setDialog] = useState<ComponentType<SearchDialogProps> | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const [part, setPart] = useState<SearchPart>('search')
  const typed = useRef('')
  const load = () => {
    if (Dialog) return
    import('./search-dialog.tsx').then(
      ({ SearchDialog }) => setDialog(() => SearchDialog),
      () => {
        setFailed(true)
        setOpen(false)
      },
    )
  }
  const open = (wanted: SearchPart) => {
    typed.current = ''
    setFailed(false)
    setPart(wanted)
    setOpen(true)
    load()
  }
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const shortcut = toShortcut(event)
    if (shortcut === null) {
      const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey
      if (!isOpen || Dialog || !isLetter || event.isComposing) return
      typed.current += event.key
    } else if (!isOpen) open(shortcut === 'keys' ? 'keys' : 'search')
    else if (shortcut === 'jump') setOpen(false)
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
        aria-label="Search, or filter by symbol:AAPL rating:4,5"
        aria-keyshortcuts="/ Control+K Meta+K"
        onPointerEnter={load}
        onFocus={load}
        onClick={() => open('search')}
        className="search-button"
      >
        <SearchIcon />
        <span className="whitespace-nowrap max-lg:hidden">
          Search<span className="max-wide:hidden"> symbols, users, help…</span>
        </span>
        <kbd aria-hidden className="search-key">
          {command}K
        </kbd>
      </button>
      {hasFailed && (
        <p
          role="alert"
          className="fixed top-14 right-4 z-30 rounded-md border border-line-2 bg-surface px-3 py-2"
        >
          The search could not be loaded. Try again.
        </p>
      )}
      {Dialog && (
        <Dialog
          part={part}
          isOpen={isOpen}
          typed={typed.current}
          onClose={() => setOpen(false)}
          onShowKeys={() => setPart('keys')}
        />
      )}
    </>
  )
}
