import { useSyncExternalStore } from 'react'

/** Of the one page of a browser. */
const paper = { isPrinted: false }

/** Browsers tell before they print; whoever looks at a page as paper tells by its media alone. */
function subscribe(onChange: () => void): () => void {
  const media = window.matchMedia('print')
  const tell = (isPrinted: boolean) => {
    paper.isPrinted = isPrinted
    onChange()
  }
  const begin = () => tell(true)
  const end = () => tell(false)
  const turn = () => tell(media.matches)
  window.addEventListener('beforeprint', begin)
  window.addEventListener('afterprint', end)
  media.addEventListener('change', turn)
  return () => {
    window.removeEventListener('beforeprint', begin)
    window.removeEventListener('afterprint', end)
    media.removeEventListener('change', turn)
  }
}

/** Whether the page is being printed. What is drawn otherwise then is drawn before the paper is laid out. */
export const usePrinting = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => paper.isPrinted,
    () => false,
  )
