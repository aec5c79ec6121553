import { readDocsIndex } from '#lib/server/pages/docs-index.ts'

export const dynamic = 'force-dynamic'

export const GET = async (): Promise<Response> =>
  Response.json(await readDocsIndex(), { headers: { 'cache-control': 'private, max-age=3600' } })
