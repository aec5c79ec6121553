'use client'

import { useState } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { toRatingPath } from '#lib/client/query-options.ts'
import type { RatingDetail } from '#lib/contract/answers/ratings.ts'

/** Beyond this a browser would struggle to lay the text out; what is copied is always all of it. */
const SHOWN_MAX = 100_000

/** What the API says of the rating, letter for letter, written out when it is asked for. */
export function RawJson({ rating, asof }: { rating: RatingDetail; asof: number | null }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="border-t pt-3"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="w-max text-base font-semibold">Raw JSON</summary>
      {isOpen && <JsonText text={JSON.stringify(rating, null, 2)} />}
      <p className="pt-1 text-sm text-ink-3">
        From{' '}
        <a className="link" href={toRatingPath(rating.id, asof)}>
          {toRatingPath(rating.id, asof)}
        </a>
      </p>
    </details>
  )
}

function JsonText({ text }: { text: string }) {
  const { formatCount } = useFormats()
  const cut = text.length - SHOWN_MAX
  return (
    <div className="relative pt-2">
      <CopyButton
        text={text}
        what="JSON"
        variant="outline"
        className="absolute top-3.5 right-1.5"
      />
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label="Raw JSON"
        className="max-h-96 overflow-auto rounded-md border bg-sunk p-2.5 [scrollbar-width:thin]"
      >
        <pre className="font-mono text-sm whitespace-pre-wrap wrap-anywhere">
          {cut > 0 ? text.slice(0, SHOWN_MAX) : text}
        </pre>
      </section>
      {cut > 0 && (
        <p className="text-ink-3">{formatCount(cut)} more characters are copied, not shown.</p>
      )}
    </div>
  )
}
