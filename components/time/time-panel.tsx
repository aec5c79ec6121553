'use client'

import { type SubmitEvent, useState, useSyncExternalStore } from 'react'
import {
  fromClock,
  isEndOfDay,
  toZonedDay,
  toZonedTime,
  toZoneName,
} from '#components/format/instants.ts'
import { Button } from '#components/ui/button.tsx'
import { Segmented, TextField } from '#components/ui/fields.tsx'
import { parseDay } from '#lib/contract/instant-text.ts'
import { LAST_SECOND } from '#lib/contract/rating-fields.ts'
import { StepButtons, useRewound } from './step-buttons.tsx'
import { AGO, playing, toDayAgo, toEndOfDay, travelTo } from './time-travel.ts'

const STRIDES = [
  { value: '1', label: 'day' },
  { value: '7', label: 'week' },
] as const

export function TimePanel({ onChosen }: { onChosen: () => void }) {
  const { asof, zone, now, first } = useRewound()
  const stride = useSyncExternalStore(playing.subscribe, playing.last, playing.last)
  const go = (to: number | null) => {
    playing.stop()
    travelTo(to, 'push')
    onChosen()
  }
  return (
    <div className="flex flex-col gap-3">
      {asof === null && (
        <p className="text-sm text-ink-2">
          Shows only the ratings that existed then, with their states and consensus at the time.
          Votes and comments are as last seen.
        </p>
      )}
      <ChosenDay key={`${asof} ${zone}`} asof={asof} zone={zone} now={now} go={go} />
      <div className="flex flex-wrap items-center gap-1.5 border-t pt-3">
        <StepButtons className="flex w-full justify-between gap-1" />
        <Segmented
          label="Play by"
          labelShown
          size="small"
          options={STRIDES}
          value={stride === 7 ? '7' : '1'}
          onChange={(value) => playing.choose(value === '7' ? 7 : 1)}
        />
      </div>
      <div className="grid grid-cols-2 gap-1.5 border-t pt-3">
        {AGO.map((ago) => (
          <Button
            key={ago}
            size="small"
            aria-disabled={now === null || undefined}
            onClick={() =>
              now !== null && go(toEndOfDay(toDayAgo(toZonedDay(now, zone), ago), zone))
            }
          >
            A {ago} ago
          </Button>
        ))}
      </div>
      <div className="flex flex-wrap gap-1.5 border-t pt-3">
        <Button
          size="small"
          aria-disabled={first === null || undefined}
          onClick={() => first !== null && go(toEndOfDay(toZonedDay(first, zone), zone))}
        >
          First rating{first !== null && `, ${toZonedDay(first, zone)}`}
        </Button>
        <Button
          size="small"
          className="ml-auto"
          aria-disabled={asof === null || undefined}
          onClick={() => go(null)}
        >
          Now
        </Button>
      </div>
    </div>
  )
}

type ChosenDayProps = {
  asof: number | null
  zone: string
  now: number | null
  go: (to: number | null) => void
}

function ChosenDay({ asof, zone, now, go }: ChosenDayProps) {
  const [day, setDay] = useState(asof === null ? '' : toZonedDay(asof, zone).slice(0, 10))
  const [time, setTime] = useState(
    asof === null || isEndOfDay(asof, zone) ? '' : toZonedTime(asof, zone),
  )
  const [problem, setProblem] = useState<string | null>(null)
  const chosen = readChosen({ day, time, zone })
  const isFuture = 'at' in chosen && now !== null && chosen.at > now
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    if ('problem' in chosen) return setProblem(chosen.problem)
    go(chosen.at)
  }
  return (
    <form
      onSubmit={onSubmit}
      noValidate
      className="grid grid-cols-[1fr_auto] items-end gap-x-2 gap-y-1"
    >
      <TextField
        label={`Day, ${toZoneName(zone)}`}
        inputMode="numeric"
        maxLength={10}
        placeholder="YYYY-MM-DD"
        value={day}
        problem={null}
        aria-invalid={problem !== null || undefined}
        onChange={({ target }) => {
          setDay(target.value)
          setProblem(null)
        }}
      />
      <TextField
        label="Time"
        type="time"
        value={time}
        className="w-24"
        onChange={({ target }) => setTime(target.value)}
      />
      <p role="status" className="text-sm text-ink-3">
        {problem ?? (isFuture ? FUTURE : NOTE)}
      </p>
      <Button type="submit" size="small" variant="solid" className="self-start">
        Go to this time
      </Button>
    </form>
  )
}

const NOTE = 'Without a time, the end of the day.'
const FUTURE = 'In the future: as it would be without new ratings.'

/** `time` '': the end of the day. */
type Chosen = { day: string; time: string; zone: string }

function readChosen({ day, time, zone }: Chosen): { at: number } | { problem: string } {
  if (day === '') return { problem: 'Choose a day.' }
  const midnight = parseDay(day)
  if (midnight === null) return { problem: 'Choose a day from 1970-01-01 to 9999-12-31.' }
  if (time === '') return { at: toEndOfDay(day, zone) }
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  const at = fromClock(midnight + hours * 3600 + minutes * 60 + seconds, zone)
  return { at: Math.min(Math.max(at, 0), LAST_SECOND) }
}
