'use client'

import { useEffect, useRef, useState } from 'react'
import { withBase } from '#lib/contract/base-path.ts'
import { Button, type ButtonStyle } from './button.tsx'
import { LiveRegion } from './messages.tsx'

type CopyButtonProps = Pick<ButtonStyle, 'variant' | 'size'> & {
  text: string
  what: string
  className?: string
}

const SHOWN_MS = 2000
const WORDS = { idle: 'Copy', copied: 'Copied', failed: 'Not copied' }

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
        <SameWidth text={WORDS[result]} widest={WORDS.copied} />
      </Button>
      <LiveRegion message={result === 'idle' ? '' : `${what}: ${WORDS[result]}`} />
    </>
  )
}

/** Keeps the place of `widest`, so that nothing beside the button moves. */
const SameWidth = ({ text, widest }: { text: string; widest: string }) => (
  <span
    className="inline-grid justify-items-center after:invisible after:h-0 after:overflow-hidden after:content-[attr(data-widest)]"
    data-widest={widest}
  >
    {text}
  </span>
)

export function CopyLink({ href, className }: { href: string; className?: string }) {
  const [result, setResult] = useState<{ of: string; copied: boolean } | null>(null)
  const shown = result?.of === href ? result : null
  useEffect(() => {
    if (!shown?.copied) return
    const timer = setTimeout(() => setResult(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown])
  const copy = async () =>
    setResult({ of: href, copied: await copyText(window.location.origin + withBase(href)) })
  return (
    <>
      <Button variant="quiet" size="small" className={className} onClick={copy}>
        <SameWidth text={shown?.copied ? 'Copied' : 'Copy link'} widest="Copy link" />
      </Button>
      <LiveRegion message={shown?.copied ? 'The link was copied.' : ''} />
      {shown?.copied === false && <ManualLink href={href} />}
    </>
  )
}

function ManualLink({ href }: { href: string }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  return (
    <label className="order-last flex basis-full flex-col gap-1 pt-1 text-sm" role="alert">
      The browser did not allow copying. Copy the link by hand:
      <input
        ref={field}
        readOnly
        className="field"
        value={window.location.origin + withBase(href)}
      />
    </label>
  )
}

/**
 * Returns whether the text was copied. Falls back to `execCommand`, because the Clipboard API
 * requires HTTPS or localhost.
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
  // Content outside an open dialog cannot be selected, and focusing it would close a non-modal one.
  const place = focused?.closest('dialog, [role="dialog"]') ?? document.body
  place.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}
