import { DUMP_KINDS, nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { nextMonthAt } from '#lib/upstream/ledger.ts'
import { type LimitedService, range } from './scripted-service.ts'

/** Seconds since 1970. */
export type Span = { from: number; to: number }

export const toSpan = (from: string, to: string): Span => ({ from: toDay(from), to: toDay(to) })
const toDay = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000

const months = range(0, 11).map((month) => Date.UTC(2026, month) / 1000)

export const monthsOf = ({ from, to }: Span) =>
  months.filter((month) => month >= from && month < to)

export const sentIn = ({ sent }: LimitedService, month: number) =>
  sent.filter((one) => nextMonthAt(one.at) === nextMonthAt(month))

export const followsOf = ({ sent }: LimitedService) =>
  sent.filter(({ purpose, ok }) => purpose === 'follow' && ok)

/** Returns `posts 2026-01-04` for dumps not fetched in time. */
export function selectMissed({ sent }: LimitedService, from: number, to: number, seconds: number) {
  const missed: string[] = []
  for (let sunday = nextEditionAt(from); sunday + seconds < to; sunday = nextEditionAt(sunday)) {
    for (const kind of DUMP_KINDS) {
      const came = sent.some(
        (one) => one.ok && one.what === kind && one.at >= sunday && one.at < sunday + seconds,
      )
      if (!came) missed.push(`${kind} ${new Date(sunday * 1000).toISOString().slice(0, 10)}`)
    }
  }
  return missed
}

export function selectGaps(instants: readonly number[]): number[] {
  return instants.slice(1).map((one, index) => one - (instants[index] ?? one))
}
