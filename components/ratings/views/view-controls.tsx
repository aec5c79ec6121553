'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { copyText } from '#components/ui/copy.tsx'
import { toAbsolute } from '#components/ui/here.ts'
import { Notice } from '#components/ui/messages.tsx'
import { toViewHref } from './saved-view.ts'
import type { ViewsProblem } from './views-store.ts'

type ShareLinkProps = {
  address: string
  what: string
  say: (message: string) => void
  children: ReactNode
}

export function ShareLink({ address, what, say, children }: ShareLinkProps) {
  const [result, setResult] = useState<{ of: string; isCopied: boolean } | null>(null)
  const shown = result?.of === address ? result : null
  const copy = async () => {
    const link = toAbsolute(toViewHref(address))
    const isCopied = await copyText(link)
    setResult({ of: address, isCopied })
    say(
      isCopied ? `Copied ${what}` : `The ${what} could not be copied; it is shown to copy by hand`,
    )
  }
  return (
    <>
      <Button variant="quiet" size="small" aria-label={`Copy ${what}`} onClick={copy}>
        {shown?.isCopied ? 'Copied' : children}
      </Button>
      {shown && !shown.isCopied && <SelectedLink address={address} />}
    </>
  )
}

function SelectedLink({ address }: { address: string }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])
  return (
    <div className="order-last w-full p-1">
      <p className="text-sm text-ink-2">The browser did not allow copying. Copy it by hand:</p>
      <input
        ref={field}
        readOnly
        aria-label="Link to copy"
        value={toAbsolute(toViewHref(address))}
        className="field"
      />
    </div>
  )
}

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
