import { ZonedLink } from '#components/address/outlook.tsx'
import { toWhyHref } from '#components/address/symbol-address.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { ConsensusChange } from '#components/marks/consensus-change.tsx'
import { toPartsText } from '#components/symbols/moves/move-texts.ts'
import { RuleNote } from '#components/ui/help-popover.tsx'
import { Panel } from '#components/ui/panels.tsx'
import type { Changes } from '#lib/contract/answers/changes.ts'
import { CONSENSUS_MIN, UNMOVED } from '#lib/contract/answers/limits.ts'
import type { Moves } from '#lib/contract/answers/moves.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

export function LargestMoves({ changes }: { changes: Changes }) {
  return (
    <Panel
      action={
        <RuleNote about="the largest moves">
          Consensus at the end of the week minus consensus at its start, for symbols with at least{' '}
          {CONSENSUS_MIN} active ratings at both, largest first. Symbols are selected as if{' '}
          {UNMOVED} more opinions had not moved, so that symbols with few ratings do not crowd out
          the rest. The symbol’s page shows every part of its change.
        </RuleNote>
      }
      title="Largest moves"
    >
      {changes.moves.length === 0 ? (
        <p className="text-ink-3">No consensus of {CONSENSUS_MIN} or more ratings moved.</p>
      ) : (
        <ol className="rounded-lg border bg-surface">
          {changes.moves.map((moves) => (
            <Move key={moves.symbol} moves={moves} period={changes} />
          ))}
        </ol>
      )}
    </Panel>
  )
}

function Move({ moves, period }: { moves: Moves; period: Pick<Changes, 'from' | 'to'> }) {
  const formats = useFormats()
  const { formatConsensus, formatCount } = formats
  const parts = toPartsText(moves, formats)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto_4.5rem] items-baseline gap-x-4 border-b px-4 py-2 last:border-b-0 sm:grid-cols-[10rem_9rem_4.5rem_minmax(0,1fr)]">
      <ZonedLink
        className="link min-w-0 truncate font-semibold"
        href={toWhyHref(moves.symbol, period)}
        prefetch={false}
      >
        <bdi>{toVisibleText(moves.symbol)}</bdi>
      </ZonedLink>
      <span className="number">
        {formatConsensus(moves.consensus_from)} → {formatConsensus(moves.consensus_to)}
      </span>
      <span className="number text-right font-semibold">
        <ConsensusChange of={moves.change} />
      </span>
      <span className="min-w-0 text-sm text-ink-2 max-sm:col-span-3">
        {parts === '' ? 'Many small parts' : parts}
        <span className="text-ink-3">
          {' '}
          · n={formatCount(moves.active_from)} → {formatCount(moves.active_to)}
        </span>
      </span>
    </li>
  )
}
