import type { Edition, StatusAnswer } from '#lib/contract/answers/state.ts'
import { noQuery } from '#lib/contract/other-queries.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import type { ApiDeps } from '../deps.ts'
import { readParameters } from '../read-parameters.ts'
import type { Route } from '../route.ts'

const QUARANTINE_SHOWN = 10

export const statusRoute: Route = {
  kind: 'now',
  method: 'GET',
  pattern: '/api/status',
  handle: async ({ deps, params }): Promise<StatusAnswer> => {
    readParameters(noQuery, params)
    const { archive, sync, upstream } = deps
    const { ratings, generation, completeTo, quarantined } = archive.state()
    const latest = quarantined === 0 ? [] : await archive.selectQuarantine(QUARANTINE_SHOWN)
    return {
      success: true,
      code: 200,
      data: {
        archive: { ratings, generation, complete_to: completeTo },
        sync: sync.state(),
        budget: upstream.budget(),
        editions: { posts: toEdition(deps, 'posts'), lookups: toEdition(deps, 'lookups') },
        quarantine: { rows: quarantined, latest },
        service: upstream.service,
        now: deps.now(),
      },
    }
  },
}

const toEdition = ({ editions }: ApiDeps, kind: DumpKind): Edition | null =>
  editions.card(kind).edition
