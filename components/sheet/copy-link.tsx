'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { copyText } from '#components/ui/copy-text.ts'
import { LiveRegion } from '#components/ui/live-region.tsx'
import { FIELD_CLASSES } from '#components/ui/text-field.tsx'

const SHOWN_MS = 2000

/** Copies the absolute address of a page; where the browser forbids that, the address stands there to be taken. */
export function CopyLink({ href, className }: { href: string; className?: string }) {
  const [result, setResult] = useState<{ of: string; copied: boolean } | null>(null)
  const shown = result?.of === href ? result : null
  useEffect(() => {
    if (!shown?.copied) return
    const timer = setTimeout(() => setResult(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown])
  const copy = async () =>
    setResult({ of: href, copied: await copyText(`${window.location.origin}${href}`) })
  return (
    <>
      <Button variant="quiet" size="small" className={className} onClick={copy}>
        {shown?.copied ? 'Copied' : 'Copy link'}
      </Button>
      <LiveRegion message={shown?.copied ? 'The link was copied.' : ''} />
      {shown?.copied === false && <LinkByHand href={href} />}
    </>
  )
}

/** Selected already: one key copies it. */
function LinkByHand({ href }: { href: string }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  return (
    <label className="order-last flex basis-full flex-col gap-1 pt-1 text-sm" role="alert">
      The browser did not let it be copied. The link to take by hand:
      <input
        ref={field}
        readOnly
        className={FIELD_CLASSES}
        value={`${window.location.origin}${href}`}
      />
    </label>
  )
}
