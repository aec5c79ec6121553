import { useEffect } from 'react'
import type { SavedView } from './saved-view.ts'

/** What the button says: the name of a view, and what else is to be said of it; null where no view is shown. */
export type ViewsLabel = { name: string; note: string | null } | null

/** Tells the button, which knows nothing of views, what it says. */
export function useViewsLabel(
  current: SavedView | null,
  origin: SavedView | null,
  onLabel: (label: ViewsLabel) => void,
) {
  const name = (current ?? origin)?.name ?? null
  const note = current ? null : 'changed'
  useEffect(() => {
    onLabel(name === null ? null : { name, note })
  }, [name, note, onLabel])
}
