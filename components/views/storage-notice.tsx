import { Notice } from '#components/ui/messages.tsx'
import type { ViewsProblem } from './views-store.ts'

const WORDS: Record<ViewsProblem, { title: string; text: string }> = {
  denied: {
    title: 'This browser keeps nothing for this page',
    text: 'Views last until the page is closed. Export them to keep them.',
  },
  full: {
    title: 'This browser has no room left for this page',
    text: 'The last change lasts until the page is closed. Export the views to keep it.',
  },
  newer: {
    title: 'A newer version of this dashboard saved views here',
    text: 'They are left as they are. What is saved now lasts until the page is closed.',
  },
  damaged: {
    title: 'Not every saved view could be read',
    text: 'What cannot be read is put aside, unchanged, when a view is saved.',
  },
}

/** Why views may not be kept, and what becomes of them; nothing where they are kept. */
export function StorageNotice({ problem }: { problem: ViewsProblem | null }) {
  if (problem === null) return null
  const { title, text } = WORDS[problem]
  return (
    <Notice tone="warning" title={title}>
      {text}
    </Notice>
  )
}
