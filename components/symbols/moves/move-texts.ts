import { formatCounted } from '#components/format/numbers.ts'
import { toSignedText } from '#components/marks/consensus-change.tsx'
import type { Moves } from '#lib/contract/answers/symbols.ts'
import type { MoveKind } from '#lib/contract/moves.ts'
import { toLargestSteps, toWaterfall } from './waterfall.ts'

const MOVE_NOUNS: Readonly<Record<MoveKind, readonly [one: string, several: string]>> = {
  initiated: ['first rating', 'first ratings'],
  returned: ['rating of a user who returned', 'ratings of users who returned'],
  upgraded: ['upgrade', 'upgrades'],
  downgraded: ['downgrade', 'downgrades'],
  reiterated: ['repeated rating', 'repeated ratings'],
  lapsed: ['rating that expired', 'ratings that expired'],
  vanished: ['rating no longer listed', 'ratings no longer listed'],
}

const PARTS_TOLD = 3

type Part = { what: string; change: string }

/** At most three; leaves out parts that round to 0.00. */
function toLargestParts(moves: Moves): Part[] {
  const drawn = toWaterfall(moves)
  return (drawn ? toLargestSteps(drawn) : [])
    .slice(0, PARTS_TOLD)
    .map(({ kind, events, change }) => ({
      what: formatCounted(events, ...MOVE_NOUNS[kind]),
      change: toSignedText(change),
    }))
}

/** `5 upgrades +0.21 · 1 first rating −0.03` */
export const toPartsText = (moves: Moves): string =>
  toLargestParts(moves)
    .map(({ what, change }) => `${what} ${change}`)
    .join(' · ')
