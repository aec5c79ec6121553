import type { ChangesAnswer } from '#lib/contract/answers/changes.ts'
import { changesQuery } from '#lib/contract/api-queries.ts'
import { editionAt, nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { kept } from './endpoint.ts'
import { readParameters, toBadRequest, toMeta } from './respond.ts'

/** What changed in a period: by default in the last whole week of the editions. */
export const answerChanges = kept(
  'changes',
  async (deps, { params, signal }): Promise<ChangesAnswer> => {
    const now = deps.now()
    const period = toPeriod(readParameters(changesQuery, params), now)
    if (period.from >= period.to) {
      throw toBadRequest([{ parameter: 'from', message: 'is to come' }])
    }
    const data = await deps.archive.selectChanges(period, { signal })
    return { success: true, code: 200, data, meta: toMeta(deps, now) }
  },
)

type Period = { from: number; to: number }

/** What is left out goes by the weeks of the editions; what is to come is no part of any period. Seconds since 1970. */
export function toPeriod(asked: { from: number | null; to: number | null }, now: number): Period {
  const wanted = asked.to ?? (asked.from === null ? editionAt(now) : nextEditionAt(asked.from))
  const to = Math.min(wanted, now + 1)
  return { from: asked.from ?? editionAt(to - 1), to }
}
