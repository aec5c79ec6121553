import type { QuarantinePage } from '#lib/contract/answers/status.ts'
import { noQuery, quarantineQuery } from '#lib/contract/api-queries.ts'
import { toStamp } from '#lib/contract/export-name.ts'
import { toChunks } from './byte-stream.ts'
import { type ApiDeps, madeNow, type RawEndpoint } from './endpoint.ts'
import { sendChunks, toNdjsonTexts } from './export-answer.ts'
import { readParameters, toPageInfo } from './respond.ts'

/** A page of what came and is no rating. */
export const answerQuarantine = madeNow(
  'quarantine',
  async ({ archive }, { params }): Promise<QuarantinePage> => {
    const query = readParameters(quarantineQuery, params)
    const { rows, total, reasons } = await archive.selectQuarantinePage({
      reason: query.reason === '' ? null : query.reason,
      page: query.page,
      perPage: query.per_page,
    })
    return {
      success: true,
      code: 200,
      data: { rows, reasons, all: archive.state().quarantined },
      page: toPageInfo(query, total),
    }
  },
)

/** All of it as a file. */
export const streamQuarantine: RawEndpoint = {
  method: 'GET',
  respond: async (deps, { request, params }) => {
    readParameters(noQuery, params)
    const freeSlot = deps.takeQuarantineSlot()
    try {
      return await sendAll(deps, request, freeSlot)
    } catch (error) {
      freeSlot()
      throw error
    }
  },
}

async function sendAll(deps: ApiDeps, request: Request, freeSlot: () => void): Promise<Response> {
  const kept = await deps.archive.openQuarantine(request.signal)
  const end = () => {
    freeSlot()
    void kept.close().catch(() => {})
  }
  const name = `quarantine_${kept.rows}-rows_as-of-${toStamp(deps.now())}_UTC.ndjson`
  const headers = new Headers({
    'content-type': 'application/x-ndjson; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'private, no-store, no-transform',
    'bellwether-rows': String(kept.rows),
  })
  const chunks = () => toChunks(toNdjsonTexts(kept.lines(), kept.rows))
  return await sendChunks({ deps, request, headers, chunks, onEnd: end })
}
