import type { QuarantinePage } from '#lib/contract/answers/quarantine.ts'
import { noQuery, quarantineQuery } from '#lib/contract/api-queries.ts'
import { toStamp } from '#lib/contract/export-name.ts'
import { toChunks } from './byte-stream.ts'
import { createSlots, sendChunks, type TakeSlot, toNdjsonTexts } from './export-stream.ts'
import { readParameters, toPageInfo } from './respond.ts'
import type { Route, RouteContext } from './route.ts'

/** What came and is no rating: a page of it, and all of it as a file. */
export function createQuarantineRoutes(): Route[] {
  const takeSlot = createSlots()
  return [
    {
      kind: 'now',
      method: 'GET',
      pattern: '/api/quarantine',
      handle: selectPage,
    },
    {
      kind: 'raw',
      method: 'GET',
      pattern: '/api/quarantine.ndjson',
      handle: async (context) => {
        readParameters(noQuery, context.params)
        return await sendAll(context, takeSlot)
      },
    },
  ]
}

async function selectPage({ deps, params }: RouteContext): Promise<QuarantinePage> {
  const query = readParameters(quarantineQuery, params)
  const { rows, total, reasons } = await deps.archive.selectQuarantinePage({
    reason: query.reason === '' ? null : query.reason,
    page: query.page,
    perPage: query.per_page,
  })
  return {
    success: true,
    code: 200,
    data: { rows, reasons, all: deps.archive.state().quarantined },
    page: toPageInfo(query, total),
  }
}

async function sendAll({ deps, request }: RouteContext, takeSlot: TakeSlot): Promise<Response> {
  const freeSlot = takeSlot()
  try {
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
  } catch (error) {
    freeSlot()
    throw error
  }
}
