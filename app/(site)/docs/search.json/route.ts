import { readDocsIndex } from '#components/docs/search-index.ts'
import { permitted } from '#lib/server/routes/mount.ts'

export const dynamic = 'force-dynamic'

export const GET = permitted(async () =>
  Response.json(await readDocsIndex(), { headers: { 'cache-control': 'private, max-age=3600' } }),
)
