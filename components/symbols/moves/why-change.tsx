'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ConsensusChange } from '#components/marks/consensus-change.tsx'
import { useAsOf } from '#components/time/as-of.tsx'
import { movesOptions } from '#lib/client/symbol-options.ts'
import { toPartsText } from './move-texts.ts'

type WhyChangeProps = {
  symbol: string
  of: string | null
  days: number
}

const DAY_SECONDS = 86_400
const MINUTE_MS = 60_000

export function WhyChange({ symbol, of, days }: WhyChangeProps) {
  const client = useQueryClient()
  const asof = useAsOf()
  const [why, setWhy] = useState<string | undefined>()
  const load = async () => {
    // Rounded to minutes for the cache.
    const to = asof ?? Math.floor(Date.now() / MINUTE_MS) * 60
    const { data } = await client.fetchQuery(
      movesOptions(symbol, { from: to - days * DAY_SECONDS, to: asof, asof }),
    )
    setWhy(toPartsText(data) || undefined)
  }
  return (
    <ConsensusChange
      of={of}
      onPointerEnter={of === null ? undefined : () => void load().catch(() => undefined)}
      title={why}
    />
  )
}
