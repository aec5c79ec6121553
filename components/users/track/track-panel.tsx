import type { UserView } from '#components/address/user-address.ts'
import { FoldedPanel } from '#components/ui/fold.tsx'
import { Panel } from '#components/ui/panels.tsx'
import type { Track } from '#lib/contract/answers/track.ts'
import { CalibrationFigure } from './calibration-figure.tsx'
import { CallsTable } from './calls-table.tsx'
import { HorizonChoice } from './horizon-choice.tsx'
import { CoverageCard, ExcessCard, RankCard, RightCard } from './track-cards.tsx'

type TrackPanelProps = {
  userId: number
  track: Track
  isStale: boolean
  view: UserView
  change: (changes: Partial<UserView>) => void
}

export function TrackPanel({ userId, track, isStale, view, change }: TrackPanelProps) {
  return (
    <>
      <Panel
        action={
          <HorizonChoice
            horizon={view.horizon}
            onChange={(horizon) => change({ horizon, page: 1 })}
          />
        }
        title="Calls"
      >
        <CallsTable change={change} userId={userId} view={view} />
      </Panel>
      <FoldedPanel title="Calls in figures">
        <div
          aria-busy={isStale}
          className={`flex min-w-0 flex-col gap-4 ${isStale ? 'opacity-60' : ''}`}
        >
          <div className="grid min-w-0 gap-x-8 border-b sm:grid-cols-2 xl:grid-cols-4">
            <RightCard of={track} everybody={track.everybody} />
            <ExcessCard of={track} />
            <RankCard track={track} />
            <CoverageCard of={track} />
          </div>
          <CalibrationFigure
            calibration={track.calibration}
            name={`Predicted and actual returns, user ${userId}`}
          />
        </div>
      </FoldedPanel>
    </>
  )
}
