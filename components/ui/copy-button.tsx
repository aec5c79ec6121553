'use client'

import { useEffect, useState } from 'react'
import { Button, type ButtonLook } from './button.tsx'
import { copyText } from './copy-text.ts'
import { LiveRegion } from './live-region.tsx'

type CopyButtonProps = Pick<ButtonLook, 'variant' | 'size'> & {
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
