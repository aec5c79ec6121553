'use client'

import { formatCountdown } from '#components/format/instant.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { InstantButton } from '#components/time/instant.tsx'
import type { PlannedMove } from '#lib/contract/answers/status.ts'
import { MOVE_WORDS } from './move-words.ts'
import { StatusPanel } from './panel-frame.tsx'

/** `in 1 d 13 h`, `in a moment`, `now`. */
function toWhen(at: number, now: number): string {
  if (at <= now) return 'now'
  return at - now < 60 ? 'in a moment' : `in ${formatCountdown(at, now)}`
}

/** What will run, when, at what cost, and why then. `now` is the server's clock in seconds. */
export function PlanPanel({ plan, now }: { plan: readonly PlannedMove[]; now: number }) {
  const { formatCounted } = useFormats()
  return (
    <StatusPanel id="plan" title="What comes next">
      {plan.length === 0 ? (
        <p className="text-ink-3">Nothing is planned while the sync does not run.</p>
      ) : (
        <ol className="flex flex-col">
          {plan.map(({ move, at, cost, why }) => (
            <li key={move} className="border-t py-2.5 first:border-t-0 first:pt-0 last:pb-0">
              <p className="flex flex-wrap justify-between gap-x-4">
                <span className="font-semibold">{MOVE_WORDS[move].title}</span>
                <span>
                  {at === null ? (
                    'not this month'
                  ) : (
                    <InstantButton seconds={at}>{toWhen(at, now)}</InstantButton>
                  )}
                  <span className="text-ink-3">
                    {' · '}
                    {cost === 0 ? 'free' : formatCounted(cost, 'request')}
                  </span>
                </span>
              </p>
              <p className="text-ink-2">{why}</p>
            </li>
          ))}
        </ol>
      )}
    </StatusPanel>
  )
}
