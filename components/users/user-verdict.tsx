'use client'

import { useQuery } from '@tanstack/react-query'
import { useFormats } from '#components/format/use-formats.tsx'
import { recordOptions } from '#lib/client/user-options.ts'
import type { Track } from '#lib/contract/answers/track.ts'
import { toClosenessVerdict } from './closeness.tsx'
import { NoPrices } from './track/horizon-choice.tsx'
import { toCoinVerdict } from './track/track-texts.ts'
import { Meaning, VerdictLine } from './track/verdict-line.tsx'

type UserVerdictProps = {
  userId: number
  /** Null is now. */
  asof: number | null
  /** Undefined while loading. */
  track: Track | undefined
}

export function UserVerdict({ userId, asof, track }: UserVerdictProps) {
  const formats = useFormats()
  const record = useQuery(recordOptions(userId, asof)).data
  if (track === undefined) return <LoadingVerdict />
  if (track.prices.symbols > 0) {
    return (
      <div className="flex flex-col gap-1">
        <VerdictLine of={toCoinVerdict(track, formats)} />
        <Meaning of={track} />
      </div>
    )
  }
  if (record === undefined) return <LoadingVerdict />
  return (
    <div className="flex flex-col gap-1">
      <VerdictLine of={toClosenessVerdict(record.data.closeness, formats)} />
      <NoPrices>
        Whether ratings were right can be judged only with prices. None have been added here.
      </NoPrices>
    </div>
  )
}

const LoadingVerdict = () => <p aria-busy className="min-h-13 text-lg" />
