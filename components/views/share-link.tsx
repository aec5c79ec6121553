'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { copyText } from '#components/ui/copy.tsx'
import { FIELD_CLASSES } from '#components/ui/fields.tsx'
import { toViewHref } from './view-address.ts'

type ShareLinkProps = {
  address: string
  /** What is copied, in words: "link to AAPL buys". */
  what: string
  say: (message: string) => void
  children: ReactNode
}

/** Copies the whole address of a view. Where the clipboard is denied, the link is shown, selected, to be copied by hand. */
export function ShareLink({ address, what, say, children }: ShareLinkProps) {
  const [result, setResult] = useState<{ of: string; isCopied: boolean } | null>(null)
  const shown = result?.of === address ? result : null
  const copy = async () => {
    const link = window.location.origin + toViewHref(address)
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
        value={window.location.origin + toViewHref(address)}
        className={FIELD_CLASSES}
      />
    </div>
  )
}
