export type TimeTick = { at: number; label: string }

const DAY = 86_400
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

type Step = { unit: 'day' | 'month' | 'year'; size: number }

const STEPS: readonly Step[] = [
  { unit: 'day', size: 1 },
  { unit: 'day', size: 2 },
  { unit: 'day', size: 7 },
  { unit: 'day', size: 14 },
  { unit: 'month', size: 1 },
  { unit: 'month', size: 3 },
  { unit: 'month', size: 6 },
  { unit: 'year', size: 1 },
  { unit: 'year', size: 2 },
  { unit: 'year', size: 5 },
  { unit: 'year', size: 10 },
]

/** Returns at most `maximum` ticks; `from` and `to` are seconds since 1970, UTC. */
export function toTimeTicks(from: number, to: number, maximum: number): TimeTick[] {
  if (!(to > from) || maximum < 1) return []
  for (const step of STEPS) {
    if ((to - from) / roughSeconds(step) > maximum + 1) continue
    const instants = toInstants(from, to, step)
    if (instants.length <= maximum) return toLabelled(instants, step)
  }
  return []
}

const roughSeconds = ({ unit, size }: Step) =>
  size * { day: DAY, month: 28 * DAY, year: 365 * DAY }[unit]

function toInstants(from: number, to: number, step: Step): number[] {
  const instants: number[] = []
  for (let at = firstAt(from, step); at <= to; at = nextAfter(at, step)) instants.push(at)
  return instants
}

function firstAt(from: number, step: Step): number {
  const date = new Date(from * 1000)
  if (step.unit === 'day') {
    // 1970-01-05 was a Monday, so weeks begin on Mondays.
    const anchor = step.size >= 7 ? 4 * DAY : 0
    const length = step.size * DAY
    return anchor + Math.ceil((from - anchor) / length) * length
  }
  const months = step.unit === 'year' ? step.size * 12 : step.size
  const count = date.getUTCFullYear() * 12 + date.getUTCMonth()
  const floor = count - (count % months)
  const at = monthStart(floor)
  return at >= from ? at : monthStart(floor + months)
}

function nextAfter(at: number, step: Step): number {
  if (step.unit === 'day') return at + step.size * DAY
  const date = new Date(at * 1000)
  const months = step.unit === 'year' ? step.size * 12 : step.size
  return monthStart(date.getUTCFullYear() * 12 + date.getUTCMonth() + months)
}

const monthStart = (count: number) => Date.UTC(Math.floor(count / 12), count % 12, 1) / 1000

function toLabelled(instants: readonly number[], step: Step): TimeTick[] {
  return instants.map((at, index) => {
    const date = new Date(at * 1000)
    const year = date.getUTCFullYear()
    if (step.unit === 'year') return { at, label: String(year) }
    const month = MONTHS[date.getUTCMonth()] ?? ''
    const previous = instants[index - 1]
    const isNewYear = previous === undefined || new Date(previous * 1000).getUTCFullYear() !== year
    const day = step.unit === 'day' ? `${date.getUTCDate()} ` : ''
    return { at, label: `${day}${month}${isNewYear ? ` ${year}` : ''}` }
  })
}
