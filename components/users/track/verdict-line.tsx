import { AsOfLink } from '#components/time/as-of.tsx'
import type { Track } from '#lib/contract/answers/track.ts'
import { toMeaningText, type Verdict } from './track-texts.ts'

export const VerdictLine = ({ of: { stand, detail } }: { of: Verdict }) => (
  <p className="max-w-[110ch] text-lg text-pretty">
    <span className="font-semibold">{stand}</span>
    {detail === null ? '.' : `: ${detail}.`}
  </p>
)

export const Meaning = ({ of: { horizon, prices } }: { of: Pick<Track, 'horizon' | 'prices'> }) => (
  <p className="max-w-[110ch] text-sm text-pretty text-ink-3">
    {toMeaningText({ horizon, benchmark: prices.benchmark })}{' '}
    <AsOfLink className="link" href="/docs/prices">
      Method<span className="sr-only"> of track records</span>
    </AsOfLink>
  </p>
)
