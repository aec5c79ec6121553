import { formatConsensus, formatCount, formatCounted } from '#components/format/numbers.ts'
import type { Opinion } from '#lib/contract/answers/opinion.ts'
import { selectVerdict } from './verdict.ts'

export function toVerdictTexts(opinion: Opinion): string[] {
  const { active } = opinion
  if (active === 0) return ['No rating is active.']
  const verdict = selectVerdict(opinion)
  if (verdict === null) return [`Too few to say: ${formatCounted(active, 'active rating')}.`]
  const { label, consensus, change, days, expiring, ahead, stand } = verdict
  const said = `${label}, ${formatConsensus(consensus)} of 5 over ${formatCounted(active, 'active rating')}.`
  return [
    said,
    ...(change === null ? [] : [`${toMove(change).text} in ${days} days.`]),
    ...(expiring === 0
      ? []
      : [
          `${formatCount(expiring)} of ${formatCount(active)} ${expiring === 1 ? 'expires' : 'expire'} within ${ahead} days.`,
        ]),
    ...(stand === null
      ? []
      : [
          stand.kind === 'split'
            ? `Opinions are split: ${formatCount(stand.buy)} say buy, ${formatCount(stand.sell)} say sell.`
            : `Opinions agree: ${formatCount(stand.count)} of ${formatCount(active)} say ${stand.side}.`,
        ]),
  ]
}

/** `Up 0.40`; 0.00 counts as no change. */
export function toMove(change: string) {
  const size = formatConsensus(change.replace('-', ''))
  const isMoved = /[1-9]/.test(size)
  return {
    isMoved,
    text: isMoved ? `${change.startsWith('-') ? 'Down' : 'Up'} ${size}` : 'Unchanged',
  }
}
