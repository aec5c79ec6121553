import type { Edition, Status } from '#lib/contract/answers/state.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import type { ApiDeps } from './deps.ts'

export type StatusDeps = Pick<ApiDeps, 'archive' | 'sync' | 'upstream' | 'editions' | 'now'>

const QUARANTINE_SHOWN = 10
const EVENTS_SHOWN = 50

/** The state of archive and sync, for `/api/status` and for whoever listens to it. */
export async function toStatus(deps: StatusDeps): Promise<Status> {
  const { archive, sync, upstream } = deps
  const latest =
    archive.state().quarantined === 0 ? [] : await archive.selectQuarantine(QUARANTINE_SHOWN)
  // From here on nothing is waited for: all of it is of one moment.
  const { ratings, generation, completeTo, quarantined, vanished, gaps } = archive.state()
  return {
    archive: { ratings, generation, complete_to: completeTo, vanished, gaps },
    sync: sync.state(),
    plan: sync.plan(),
    runs: sync.runs(),
    budget: sync.budget(),
    editions: { posts: toEdition(deps, 'posts'), lookups: toEdition(deps, 'lookups') },
    discovery: sync.discovery(),
    alarms: sync.alarms(),
    quarantine: {
      rows: quarantined,
      latest: latest.map(({ reason, raw, at }) => ({ reason, raw, at })),
    },
    events: sync.events(EVENTS_SHOWN),
    service: upstream.service,
    now: deps.now(),
  }
}

const toEdition = ({ editions }: StatusDeps, kind: DumpKind): Edition | null =>
  editions.card(kind).edition
