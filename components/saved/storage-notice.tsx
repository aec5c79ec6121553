import { type StorageProblem, useStorageProblem } from '#components/store/store.ts'
import { Notice } from '#components/ui/messages.tsx'

const WORDS: Record<StorageProblem, { title: string; text: string }> = {
  denied: {
    title: 'This browser stores nothing for this page',
    text: 'Views and stars last until the page is closed. Export them to keep them.',
  },
  full: {
    title: 'This browser has no storage left for this page',
    text: 'The last change lasts until the page is closed. Export views and stars to keep it.',
  },
}

export function StorageNotice() {
  const problem = useStorageProblem()
  if (problem === null) return null
  const { title, text } = WORDS[problem]
  return (
    <Notice tone="warning" title={title}>
      {text}
    </Notice>
  )
}
