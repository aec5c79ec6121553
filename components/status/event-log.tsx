'use client'

import { useFormats } from '#components/format/use-formats.tsx'
import { ZonedInstant } from '#components/time/instant.tsx'
import { classNames } from '#components/ui/class-names.ts'
import type { LogEvent } from '#lib/contract/answers/status.ts'
import { StatusPanel } from './panel-frame.tsx'

const LEVELS: Record<LogEvent['level'], { mark: string; word: string; ink: string }> = {
  info: { mark: '·', word: '', ink: 'text-ink-3' },
  warning: { mark: '!', word: 'Warning: ', ink: 'text-rating-text-2' },
  error: { mark: '×', word: 'Error: ', ink: 'text-rating-text-1' },
}

/** What happened, the newest first. */
export function EventLogPanel({ events }: { events: readonly LogEvent[] }) {
  return (
    <StatusPanel id="events" title="What happened" detail="newest first">
      {events.length === 0 ? (
        <p className="text-ink-3">Nothing yet.</p>
      ) : (
        <ol aria-label="Event log" className="flex flex-col">
          {events.map((event) => (
            <EventLine key={event.id} event={event} />
          ))}
        </ol>
      )}
    </StatusPanel>
  )
}

function EventLine({ event: { at, level, message, fields } }: { event: LogEvent }) {
  const { formatCount } = useFormats()
  const { mark, word, ink } = LEVELS[level]
  // What the sentence says already is not said again.
  const facts = Object.entries(fields).filter(
    ([, value]) => value !== null && value !== 0 && !message.includes(String(value)),
  )
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-1.5 border-t py-1.5 first:border-t-0 sm:grid-cols-[1rem_minmax(0,1fr)_auto]">
      <span aria-hidden className={classNames('text-center font-semibold', ink)}>
        {mark}
      </span>
      <span className="min-w-0 wrap-anywhere">
        <span className="sr-only">{word}</span>
        {message}
        {facts.length > 0 && (
          <span className="text-sm text-ink-3">
            {facts.map(([name, value]) => (
              <span key={name}>
                {' · '}
                {name.replaceAll('_', ' ')}{' '}
                {typeof value === 'number' ? formatCount(value) : String(value)}
              </span>
            ))}
          </span>
        )}
      </span>
      <ZonedInstant seconds={at} className="text-sm text-ink-3 max-sm:col-start-2" />
    </li>
  )
}
