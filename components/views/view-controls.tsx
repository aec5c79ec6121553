import { Notice } from '#components/ui/messages.tsx'
import type { ViewsProblem } from './views-store.ts'

const WORDS: Record<ViewsProblem, { title: string; text: string }> = {
  denied: {
    title: 'This browser stores nothing for this page',
    text: 'Views last until the page is closed. Export them to keep them.',
  },
  full: {
    title: 'This browser has no storage left for this page',
    text: 'The last change lasts until the page is closed. Export the views to keep it.',
  },
  newer: {
    title: 'A newer version of this dashboard saved views here',
    text: 'They stay unchanged. Views saved now last until the page is closed.',
  },
  damaged: {
    title: 'Not every saved view could be read',
    text: 'Unreadable views are set aside, unchanged, when a view is saved.',
  },
}

export function StorageNotice({ problem }: { problem: ViewsProblem | null }) {
  if (problem === null) return null
  const { title, text } = WORDS[problem]
  return (
    <Notice tone="warning" title={title}>
      {text}
    </Notice>
  )
}
