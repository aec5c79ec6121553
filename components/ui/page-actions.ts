import { useEffect, useEffectEvent } from 'react'
import { isPageKey } from './keyboard-shortcuts.ts'

/** What stands somewhere on a page and is opened from anywhere: its export, its saved views, what saves its chart. */
export type PageAction = 'export' | 'views' | 'chart'

/** The keys of one character that open them. */
const KEYS: Readonly<Partial<Record<PageAction, string>>> = { export: 'e' }

/** What opens them on the page in sight, in the order in which they came. There is one list for the whole page. */
const openers: { action: PageAction; open: () => void }[] = []

/** What somebody wants of the page that he is on his way to. */
let awaited: PageAction | null = null
const WAIT_MS = 10_000

/** Makes it open by its key and from the search as long as its component stands there; at once where it was awaited. */
export function usePageAction(action: PageAction, open: () => void): void {
  const run = useEffectEvent(open)
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const key = KEYS[action]
    if (key === undefined || !isPageKey(event, key)) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    const opener = { action, open: () => run() }
    const listen = (event: KeyboardEvent) => onKeyDown(event)
    openers.push(opener)
    addEventListener('keydown', listen)
    if (awaited === action) {
      awaited = null
      run()
    }
    return () => {
      openers.splice(openers.indexOf(opener), 1)
      removeEventListener('keydown', listen)
    }
  }, [action])
}

export const hasPageAction = (action: PageAction): boolean =>
  openers.some((one) => one.action === action)

/** Opens it on this page, once the dialog that asked for it is closed. */
export function openPageAction(action: PageAction): void {
  setTimeout(() => openers.find((one) => one.action === action)?.open())
}

/** Opens it on the page that is being gone to, as soon as it stands there. */
export function awaitPageAction(action: PageAction): void {
  awaited = action
  setTimeout(() => {
    if (awaited === action) awaited = null
  }, WAIT_MS)
}
