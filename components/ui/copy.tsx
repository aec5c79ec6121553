'use client'

import { useEffect, useRef, useState } from 'react'
import { Button, type ButtonStyle } from './button.tsx'
import { toAbsolute } from './here.ts'
import { LiveRegion } from './messages.tsx'

type CopyButtonProps = Pick<ButtonStyle, 'variant' | 'size'> & {
  /** What is copied. */
  text: string
  /** What is copied, in words: "SHA-256". The accessible name is "Copy SHA-256". */
  what: string
  className?: string
}

const SHOWN_MS = 2000
const WORDS = { idle: 'Copy', copied: 'Copied', failed: 'Not copied' }

/** Copies a text and says so, to the eye and to the ear. */
export function CopyButton({
  text,
  what,
  variant = 'quiet',
  size = 'small',
  className,
}: CopyButtonProps) {
  const [result, setResult] = useState<keyof typeof WORDS>('idle')
  useEffect(() => {
    if (result === 'idle') return
    const timer = setTimeout(() => setResult('idle'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [result])
  const onClick = async () => setResult((await copyText(text)) ? 'copied' : 'failed')
  return (
    <>
      <Button
        variant={variant}
        size={size}
        className={className}
        aria-label={`Copy ${what}`}
        onClick={onClick}
      >
        {WORDS[result]}
      </Button>
      <LiveRegion message={result === 'idle' ? '' : `${what}: ${WORDS[result]}`} />
    </>
  )
}

/** Copies the absolute address of a page; where the browser forbids that, the address stands there to be taken. */
export function CopyLink({ href, className }: { href: string; className?: string }) {
  const [result, setResult] = useState<{ of: string; copied: boolean } | null>(null)
  const shown = result?.of === href ? result : null
  useEffect(() => {
    if (!shown?.copied) return
    const timer = setTimeout(() => setResult(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown])
  const copy = async () => setResult({ of: href, copied: await copyText(toAbsolute(href)) })
  return (
    <>
      <Button variant="quiet" size="small" className={className} onClick={copy}>
        {shown?.copied ? 'Copied' : 'Copy link'}
      </Button>
      <LiveRegion message={shown?.copied ? 'The link was copied.' : ''} />
      {shown?.copied === false && <ManualLink href={href} />}
    </>
  )
}

/** Selected already: one key copies it. */
function ManualLink({ href }: { href: string }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  return (
    <label className="order-last flex basis-full flex-col gap-1 pt-1 text-sm" role="alert">
      The browser did not let it be copied. The link to take by hand:
      <input ref={field} readOnly className="field" value={toAbsolute(href)} />
    </label>
  )
}

/**
 * Puts text on the clipboard and says whether it got there. The clipboard's own interface exists only over HTTPS and
 * on this computer; a dashboard in a local network is reached otherwise.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  const focused = document.activeElement
  // What stands beside an open dialog cannot be selected, and to go there would close one that is not modal.
  const place = focused?.closest('dialog, [role="dialog"]') ?? document.body
  place.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}
