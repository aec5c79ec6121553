import type { Formats } from '#components/format/numbers.ts'
import type { Opinion } from '#lib/contract/answers/opinion.ts'
import { toSignedText } from './signed-consensus.ts'

type Change = Opinion['changes'][number]

/** A change of the consensus, or why there is none: `+0.12`, `was 4.09, n=170`. */
export type ChangeText = { figure: string; detail: string }

type Judged = {
  /** How many are active now. */
  active: number
  /** Over fewer than so many a consensus says too little to be compared. */
  minimum: number
}

/** What a consensus did over some days; with fewer than `minimum` active at either end it says so instead. */
export function toChangeText(
  { active: then, change, consensus }: Change,
  { active, minimum }: Judged,
  formats: Formats,
): ChangeText {
  const { formatConsensus, formatCount } = formats
  if (active === 0) return { figure: '–', detail: 'none is active' }
  if (active < minimum) return { figure: '–', detail: `too few now, n=${formatCount(active)}` }
  if (then === 0) return { figure: '–', detail: 'nobody was active then' }
  if (then < minimum || change === null) {
    return { figure: '–', detail: `too few then, n=${formatCount(then)}` }
  }
  const before = `was ${formatConsensus(consensus)}, n=${formatCount(then)}`
  return { figure: toSignedText(change, formats), detail: before }
}

/** The share of the votes that agree, in whole percent; null where nobody voted. */
export function toAgreedShare({ agree, disagree }: Pick<Opinion, 'agree' | 'disagree'>) {
  const votes = agree + disagree
  return votes === 0 ? null : Math.round((100 * agree) / votes)
}
