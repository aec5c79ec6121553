'use client'

import { Button } from '#components/ui/button.tsx'
import { nowSeconds } from './now-seconds.ts'
import { playing } from './playing.ts'
import { travelBy } from './travel.ts'
import { usePlaying, useRewound } from './use-rewound.ts'

const STEPS = [
  { days: -7, text: '−1 w', name: '1 week back', key: '{' },
  { days: -1, text: '−1 d', name: '1 day back', key: '[' },
  { days: 1, text: '+1 d', name: '1 day on', key: ']' },
  { days: 7, text: '+1 w', name: '1 week on', key: '}' },
]

/** Steps of a day and a week, each way, and between them what plays. There is nothing ahead of now to step to. */
export function StepButtons({ className }: { className?: string }) {
  const { asof, now, kind } = useRewound()
  const isPlaying = usePlaying() !== null
  const isNow = asof === null
  const canPlay = kind === 'past' || kind === 'before'
  const toStep = ({ days, text, name, key }: (typeof STEPS)[number]) => (
    <Button
      key={days}
      size="small"
      aria-label={name}
      title={isNow ? name : `${name} (${key})`}
      aria-disabled={(isNow && days > 0) || undefined}
      className="px-1.5"
      onClick={() => {
        if (isNow && days > 0) return
        playing.stop()
        travelBy(days, now ?? nowSeconds())
      }}
    >
      {text}
    </Button>
  )
  return (
    <span className={className}>
      {STEPS.slice(0, 2).map(toStep)}
      <Button
        size="small"
        className="w-[4.25rem]"
        aria-disabled={!canPlay || undefined}
        title={canPlay ? 'Steps on until now' : 'Plays from a day in the past until now'}
        onClick={() => {
          if (isPlaying) playing.stop()
          else if (canPlay) playing.start(playing.last())
        }}
      >
        <span aria-hidden>{isPlaying ? '❚❚' : '▶'}</span> {isPlaying ? 'Pause' : 'Play'}
      </Button>
      {STEPS.slice(2).map(toStep)}
    </span>
  )
}
