import { respondSitemapPart } from '#lib/server/pages/indexing.ts'
import { toListing } from '#lib/server/routes/mount.ts'

export const dynamic = 'force-dynamic'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toListing(respondSitemapPart)
