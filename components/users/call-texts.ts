import { ENGLISH_FORMATS, type Formats } from '#components/format/formats.ts'
import { toZonedDay, toZonedText } from '#components/format/zoned.ts'
import type { Call } from '#lib/contract/answers/user-record.ts'
import type { CallRow } from './calls-layout.ts'

const isNever = ({ created_at, until, ended }: Call) =>
  ended === 'expired' && until !== null && until <= created_at

const END_TEXTS = {
  renewed: 'replaced by the next',
  expired: 'expired',
  vanished: 'no longer listed by the service',
} as const

/** Until when a call counted and why no longer, in a zone: `until 2024-08-02 14:30, renewed`. */
export function toEndText(call: Call, zone: string): string {
  const { until, ended } = call
  if (isNever(call)) return 'had expired before it was posted'
  if (until === null) return 'still active, no expiry'
  const end = toZonedText(until, zone)
  if (ended === null) return `still active, expires ${end}`
  return `until ${end}, ${END_TEXTS[ended]}`
}

/** Why a call ended, in a word. */
export function toEndWord(call: Call): string {
  if (isNever(call)) return 'before it was posted'
  if (call.ended === null) return 'active'
  return { renewed: 'replaced', expired: 'expired', vanished: 'unlisted' }[call.ended]
}

/** A call in a sentence. */
export function toCallText(
  symbol: string,
  call: Call,
  { zone, formats = ENGLISH_FORMATS }: { zone: string; formats?: Formats },
): string {
  const prediction = formats.formatPrediction(call.prediction)
  const from = toZonedText(call.created_at, zone)
  return `${symbol}: ${call.action_label}, ${call.rating_label}, ${prediction}, posted ${from}, ${toEndText(call, zone)}.`
}

type Summed = { userId: number; rows: readonly CallRow[]; from: number; to: number; zone: string }

/** The drawing in a paragraph, for whoever cannot or does not want to look at it. */
export function toCallsSummary(
  { userId, rows, from, to, zone }: Summed,
  { formatCounted, formatCount }: Formats = ENGLISH_FORMATS,
): string {
  const span = `between ${toZonedDay(from, zone)} and ${toZonedDay(to, zone)}`
  const all = rows.flatMap((row) => row.calls)
  const [busiest] = [...rows].sort((a, b) => b.calls.length - a.calls.length)
  if (!busiest) return `User ${userId} has no call ${span}.`
  const countOf = (how: string) => all.filter((placed) => placed.how === how).length
  const count = (how: string) => formatCount(countOf(how))
  const vanished = countOf('vanished') === 0 ? '' : ` ${count('vanished')} no longer listed,`
  return [
    `User ${userId}: ${formatCounted(all.length, 'call')} on ${formatCounted(rows.length, 'symbol')} in force ${span}.`,
    `${count('active')} still active, ${count('renewed')} replaced by the next call, ${count('expired')} expired,${vanished} ${count('never')} had expired before they were posted.`,
    `Most on ${busiest.symbol}: ${formatCounted(busiest.calls.length, 'call')}.`,
  ].join(' ')
}
