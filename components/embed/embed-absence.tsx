'use client'

import { usePathname, useRouter } from 'next/navigation'
import { useEffect, useEffectEvent } from 'react'
import { toPathText } from '#lib/contract/path-part.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { EmbedFrame, EmbedText } from './embed-frame.tsx'

export function EmbedUnknown() {
  const [, kind, asked, ...rest] = (usePathname() ?? '').slice(1).split('/')
  const text = toPathText(asked ?? '')
  const symbol = toVisibleText(toSymbolKey(text))
  const isSymbol = kind === 'symbols' && text.trim() !== '' && rest.length === 0
  return (
    <EmbedFrame href="/symbols" title={isSymbol ? symbol : 'Not found'}>
      {isSymbol ? (
        <EmbedText title={`${symbol} has no ratings`}>
          The archive holds no rating of that symbol, active or ended.
        </EmbedText>
      ) : (
        <EmbedText title="There is nothing to embed at this address">
          A chart is at /embed/symbols/AAPL
        </EmbedText>
      )}
    </EmbedFrame>
  )
}

const AGAIN_MS = 15_000

export function EmbedWaiting({ title }: { title: string }) {
  const router = useRouter()
  const look = useEffectEvent(() => router.refresh())
  useEffect(() => {
    const timer = setInterval(look, AGAIN_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <EmbedFrame href="/status" title={title}>
      <EmbedText title="The archive has no ratings yet">
        The archive is being filled. The chart appears when it is ready.
      </EmbedText>
    </EmbedFrame>
  )
}
