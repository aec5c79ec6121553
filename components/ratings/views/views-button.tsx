'use client'

import { type ComponentType, useEffect, useState } from 'react'
import { buttonClasses } from '#components/ui/button.tsx'
import type { SavedViewsProps, ViewsLabel } from './saved-views.tsx'
import { VIEWS_KEY } from './storage-key.ts'

type ViewsButtonProps = Omit<SavedViewsProps, 'isOpen' | 'onClose' | 'onLabel'>

type Loaded = ComponentType<SavedViewsProps>

const NOT_LOADED = { name: 'Not loaded', note: 'try again' }

const load = (onLoaded: (to: () => Loaded) => void, onFailed = () => {}) =>
  import('./saved-views.tsx').then(({ SavedViews }) => onLoaded(() => SavedViews), onFailed)

/**
 * Opens the saved views. They are loaded when they are first asked for, or at once where this browser keeps some: then
 * the button says which of them is shown. It has one width, so that nothing moves when it does.
 */
export function ViewsButton(props: ViewsButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const [label, setLabel] = useState<ViewsLabel>(null)
  const [Loaded, setLoaded] = useState<Loaded | null>(null)
  useEffect(() => {
    try {
      if (localStorage.getItem(VIEWS_KEY)) void load(setLoaded)
    } catch {}
  }, [])
  return (
    <div className="relative">
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={label?.name}
        className={buttonClasses({}, 'w-28 max-sm:w-22')}
        onClick={() => {
          setOpen(!isOpen)
          if (!Loaded) void load(setLoaded, () => setLabel(NOT_LOADED))
        }}
      >
        {label && <span className="sr-only">Views: </span>}
        <span className="grow truncate text-left">{label?.name ?? 'Views'}</span>
        {label?.note && <span className="sr-only">, {label.note}</span>}
        <span aria-hidden>{label?.note ? '•' : '▾'}</span>
      </button>
      {Loaded && (
        <Loaded {...props} isOpen={isOpen} onClose={() => setOpen(false)} onLabel={setLabel} />
      )}
    </div>
  )
}
