import type { Alarm } from '#lib/contract/answers/alarms.ts'
import { type AlarmFacts, selectAlarms } from './alarms.ts'

/** The alarms that are raised: looked at again and again, told of when they come and when they go. */
export type AlarmKeeper = {
  /** Never throws: what cannot be looked at leaves the alarms as they are. At most one look at a time. */
  look(): Promise<void>
  /** As of the last look. */
  list(): Alarm[]
}

/** `now` in seconds since 1970. */
export function createAlarmKeeper(deps: {
  loadFacts: () => Promise<AlarmFacts>
  now: () => number
  /** Told of each alarm that comes or goes. */
  reporter: { raised(alarm: Alarm): void; cleared(alarm: Alarm): void }
  onChange: () => void
  onProblem: (error: unknown) => void
}): AlarmKeeper {
  const { loadFacts, now, reporter, onChange, onProblem } = deps
  let raised: Alarm[] = []
  let looking: Promise<void> | null = null

  const lookNow = async () => {
    try {
      const before = raised
      const selected = selectAlarms(await loadFacts(), now())
      // What goes on keeps its beginning, whatever is said of it by now.
      raised = selected.map((alarm) => {
        const known = before.find(({ kind }) => kind === alarm.kind)
        return known ? { ...alarm, since: Math.min(known.since, alarm.since) } : alarm
      })
      const isIn = (list: Alarm[], one: Alarm) => list.some(({ kind }) => kind === one.kind)
      const fresh = raised.filter((alarm) => !isIn(before, alarm))
      const gone = before.filter((alarm) => !isIn(raised, alarm))
      for (const alarm of fresh) reporter.raised(alarm)
      for (const alarm of gone) reporter.cleared(alarm)
      if (fresh.length + gone.length > 0) onChange()
    } catch (error) {
      onProblem(error)
    }
  }
  return {
    look() {
      looking ??= lookNow().finally(() => {
        looking = null
      })
      return looking
    },
    list: () => raised,
  }
}
