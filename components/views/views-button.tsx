'use client'

import { type ComponentType, useEffect, useState } from 'react'
import { buttonClasses } from '#components/ui/button.tsx'
import { DownIcon } from '#components/ui/icons.tsx'
import { useSearchAction } from '#components/ui/search-actions.ts'
import type { SavedViewsProps, ViewsLabel } from './saved-views.tsx'
import { VIEWS_KEY } from './storage-key.ts'

type ViewsButtonProps = Omit<SavedViewsProps, 'isOpen' | 'onClose' | 'onLabel'>

type ViewsComponent = ComponentType<SavedViewsProps>

const NOT_LOADED = { name: 'Not loaded', note: 'try again' }

const load = (onLoaded: (to: () => ViewsComponent) => void, onFailed = () => {}) =>
  import('./saved-views.tsx').then(({ SavedViews }) => onLoaded(() => SavedViews), onFailed)

/** Loads at once if views are stored, otherwise on first use. */
export function ViewsButton(props: ViewsButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const [label, setLabel] = useState<ViewsLabel>(null)
  const [ViewsComponent, setLoaded] = useState<ViewsComponent | null>(null)
  useEffect(() => {
    try {
      if (localStorage.getItem(VIEWS_KEY)) void load(setLoaded)
    } catch {}
  }, [])
  const toggle = (isToOpen: boolean) => {
    setOpen(isToOpen)
    if (!ViewsComponent) void load(setLoaded, () => setLabel(NOT_LOADED))
  }
  useSearchAction({
    name: 'Save or share this view',
    detail: 'in the menu Views',
    run: () => toggle(true),
  })
  return (
    <div className="relative max-sm:min-w-22 max-sm:flex-[1_1_8.5rem]">
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={label?.name}
        className={buttonClasses({}, 'w-40 min-w-22 max-sm:w-full md:max-lg:w-28')}
        onClick={() => toggle(!isOpen)}
      >
        {label && <span className="sr-only">Views: </span>}
        <ButtonName name={label?.name ?? 'Views'} />
        {label?.note && <span className="sr-only">, {label.note}</span>}
        {label?.note ? <span aria-hidden>•</span> : <DownIcon />}
      </button>
      {ViewsComponent && (
        <ViewsComponent
          {...props}
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          onLabel={setLabel}
        />
      )}
    </div>
  )
}

const LINE = 12

const ButtonName = ({ name }: { name: string }) => (
  <span
    className={
      name.length > LINE
        ? 'line-clamp-2 min-w-0 grow text-left text-xs/[1.2] whitespace-normal wrap-anywhere'
        : 'grow truncate text-left'
    }
    dir="auto"
  >
    {name}
  </span>
)
