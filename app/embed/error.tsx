'use client'

import { EmbedFrame } from '#components/embed/embed-frame.tsx'
import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/messages.tsx'

export default function EmbedFailure({ retry }: { error: unknown; retry: () => void }) {
  return (
    <EmbedFrame href="/symbols" title="This chart could not be shown">
      <Notice
        action={<Button onClick={retry}>Try again</Button>}
        title="Something went wrong on our side"
        tone="failure"
      />
    </EmbedFrame>
  )
}
